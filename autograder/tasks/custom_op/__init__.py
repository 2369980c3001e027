"""Custom ops of torch.library: their registrations, and what each of them computes."""
