"""gradient_penalty: a penalty on the gradient of a critic."""
