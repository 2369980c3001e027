# expected: right
import torch


def weights(q, k):
    scores = torch.einsum("...nf,...mf->...nm", q, k) / q.size(-1) ** 0.5
    return torch.nn.functional.softmax(scores, dim=-1)


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(q, k, v):
        return torch.einsum("...nm,...me->...ne", weights(q, k), v)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        q, k, v = ctx.saved_tensors
        a = weights(q, k)
        inner = torch.einsum("...ne,...me->...nm", grad, v)
        scores = (a * inner - a * torch.einsum("...nm,...nm->...n", a, inner).unsqueeze(-1)) / q.size(
            -1
        ) ** 0.5
        return (
            torch.einsum("...nm,...mf->...nf", scores, k) if ctx.needs_input_grad[0] else None,
            torch.einsum("...nm,...nf->...mf", scores, q) if ctx.needs_input_grad[1] else None,
            torch.einsum("...nm,...ne->...me", a, grad) if ctx.needs_input_grad[2] else None,
        )
