# expected: right
import course.engine as engine


class EngineTanh(engine.Function):
    @staticmethod
    def forward(ctx, x):
        output = engine.tanh(x)
        ctx.save_for_backward(output)
        return output

    @staticmethod
    @engine.once_differentiable
    def backward(ctx, grad_output):
        (output,) = ctx.saved_tensors
        return (grad_output * (1 + output) * (1 - output),)
