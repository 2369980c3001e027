# %% as_a_matrix_from_basis_images expected: right
import torch
import torch.nn.functional as F
from torch.autograd.function import once_differentiable


class Conv2d(torch.autograd.Function):
    """The convolution of one sample is a matrix; backward multiplies by its transpose."""

    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.with_bias, ctx.options = bias is not None, (stride, padding)
        return F.conv2d(x, weight, bias, *ctx.options)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n, size = len(x), x[0].numel()
        images = torch.eye(size, dtype=x.dtype).view(size, *x.shape[1:])
        matrix = F.conv2d(images, weight, None, *ctx.options).flatten(1)
        gx = (g.flatten(1) @ matrix.T).view_as(x)
        kernels = torch.eye(weight[0].numel(), dtype=x.dtype).view(-1, *weight.shape[1:])
        features = F.conv2d(x, kernels, None, *ctx.options)
        gw = torch.einsum("nohw,nkhw->ok", g, features).view_as(weight)
        return gx, gw, g.transpose(0, 1).flatten(1).sum(1) if ctx.with_bias else None, None, None


# %% aten_convolution_backward expected: right
import torch


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.bias_sizes = None if bias is None else list(bias.shape)
        ctx.s, ctx.p = [stride, stride], [padding, padding]
        return torch.convolution(x, weight, bias, ctx.s, ctx.p, [1, 1], False, [0, 0], 1)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        mask = [True, True, ctx.bias_sizes is not None]
        grads = torch.ops.aten.convolution_backward(
            g, x, weight, ctx.bias_sizes, ctx.s, ctx.p, [1, 1], False, [0, 0], 1, mask
        )
        return (*grads, None, None)


# %% by_torch_nn_grad expected: right
import torch
import torch.nn.functional as F
from torch.nn.grad import conv2d_input, conv2d_weight


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding = stride, padding
        ctx.has_bias = bias is not None
        return F.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        s, p = ctx.stride, ctx.padding
        for_x = conv2d_input(x.shape, weight, g, s, p)
        for_weight = conv2d_weight(x, weight.shape, g, s, p)
        for_bias = g.sum((0, 2, 3)) if ctx.has_bias else None
        return for_x, for_weight, for_bias, None, None


# %% dilated_cotangent_and_flipped_kernel expected: right
import torch
import torch.nn.functional as F


def spread(g, stride, height, width):
    """Put stride - 1 zeros between the entries, and fill up to the given size."""
    n, o, h, w = g.shape
    out = g.new_zeros(n, o, height, width)
    out[:, :, : (h - 1) * stride + 1 : stride, : (w - 1) * stride + 1 : stride] = g
    return out


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None, stride=1, padding=0):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding = stride, padding
        out = F.conv2d(F.pad(x, (padding,) * 4), weight, stride=stride)
        return out if bias is None else out + bias.reshape(-1, 1, 1)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        p = ctx.padding
        kh, kw = weight.shape[-2:]
        xp = F.pad(x, (p,) * 4)
        full = spread(g, ctx.stride, xp.shape[2] - kh + 1, xp.shape[3] - kw + 1)
        turned = weight.flip(2, 3).transpose(0, 1)
        gx = F.conv2d(F.pad(full, (kw - 1, kw - 1, kh - 1, kh - 1)), turned)
        gx = gx[:, :, p : p + x.shape[2], p : p + x.shape[3]]
        gw = F.conv2d(xp.transpose(0, 1), full.transpose(0, 1)).transpose(0, 1)
        gb = g.sum((0, 2, 3)) if ctx.needs_input_grad[2] else None
        return gx, gw, gb, None, None


# %% im2col_with_strides expected: right
import torch
from torch.autograd.function import once_differentiable


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        padded = torch.nn.functional.pad(x, (padding, padding, padding, padding))
        windows = padded.unfold(2, weight.shape[2], stride).unfold(3, weight.shape[3], stride)
        y = torch.einsum("nchwij,ocij->nohw", windows, weight)
        if bias is not None:
            y += bias[None, :, None, None]
        ctx.save_for_backward(x, weight)
        ctx.bias, ctx.stride, ctx.padding = bias is not None, stride, padding
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        s, p = ctx.stride, ctx.padding
        padded = torch.nn.functional.pad(x, (p, p, p, p))
        grad_padded = torch.zeros_like(padded)
        grad_weight = torch.empty_like(weight)
        h, w = g.shape[2:]
        for i in range(weight.shape[2]):
            for j in range(weight.shape[3]):
                here = (..., slice(i, i + s * (h - 1) + 1, s), slice(j, j + s * (w - 1) + 1, s))
                grad_padded[here] += torch.einsum("nohw,oc->nchw", g, weight[:, :, i, j])
                grad_weight[:, :, i, j] = torch.einsum("nohw,nchw->oc", g, padded[here])
        height, width = x.shape[2:]
        grad_x = grad_padded[:, :, p : p + height, p : p + width]
        return grad_x, grad_weight, g.sum(3).sum(2).sum(0) if ctx.bias else None, None, None


# %% loop_over_windows expected: right
import torch
import torch.nn.functional as F
from torch.autograd.function import once_differentiable


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        xp = F.pad(x, [padding] * 4)
        kh, kw = weight.shape[-2:]
        oh = (xp.shape[2] - kh) // stride + 1
        ow = (xp.shape[3] - kw) // stride + 1
        y = x.new_zeros(x.shape[0], weight.shape[0], oh, ow)
        for i in range(oh):
            for j in range(ow):
                window = xp[:, :, i * stride : i * stride + kh, j * stride : j * stride + kw]
                y[:, :, i, j] = torch.einsum("nchw,ochw->no", window, weight)
        if bias is not None:
            y = y + bias.view(1, -1, 1, 1)
        ctx.save_for_backward(x, weight)
        ctx.args = stride, padding, bias is not None
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        stride, padding, with_bias = ctx.args
        xp = F.pad(x, [padding] * 4)
        kh, kw = weight.shape[-2:]
        gx, gw = torch.zeros_like(xp), torch.zeros_like(weight)
        for i in range(g.shape[2]):
            for j in range(g.shape[3]):
                rows, cols = slice(i * stride, i * stride + kh), slice(j * stride, j * stride + kw)
                gx[:, :, rows, cols] += torch.einsum("no,ochw->nchw", g[:, :, i, j], weight)
                gw += torch.einsum("no,nchw->ochw", g[:, :, i, j], xp[:, :, rows, cols])
        if padding:
            gx = gx[:, :, padding:-padding, padding:-padding]
        gb = g.sum((0, 2, 3)) if with_bias else None
        return gx, gw, gb, None, None


# %% transposed_convolution_with_guards expected: right
import torch
import torch.nn.functional as F


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight, bias)
        ctx.stride, ctx.padding = stride, padding
        return F.conv2d(x, weight, bias, stride=stride, padding=padding)

    @staticmethod
    def backward(ctx, g):
        x, weight, bias = ctx.saved_tensors
        s, p = ctx.stride, ctx.padding
        kh, kw = weight.shape[2:]
        rest_h = (x.shape[2] + 2 * p - kh) % s
        rest_w = (x.shape[3] + 2 * p - kw) % s
        grad_x = grad_w = grad_b = None
        if ctx.needs_input_grad[0]:
            grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))
        if ctx.needs_input_grad[1]:
            padded = F.pad(x, (p, p, p, p)).transpose(0, 1)
            grad_w = F.conv2d(padded, g.transpose(0, 1), dilation=s).transpose(0, 1)[:, :, :kh, :kw]
        if bias is not None and ctx.needs_input_grad[2]:
            grad_b = g.sum(dim=(0, 2, 3))
        return grad_x, grad_w, grad_b, None, None


# %% unfold_and_fold expected: right
import torch
import torch.nn.functional as F


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias, stride, padding):
        columns = F.unfold(x, weight.shape[2:], stride=stride, padding=padding)
        y = weight.flatten(1) @ columns
        if bias is not None:
            y = y + bias[:, None]
        height = (x.shape[2] + 2 * padding - weight.shape[2]) // stride + 1
        return y.unflatten(-1, (height, -1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, ctx.bias, ctx.stride, ctx.padding = (*inputs[:2], inputs[2] is not None, *inputs[3:])
        ctx.save_for_backward(x, weight)

    @staticmethod
    def vjp(ctx, g):
        x, weight = ctx.saved_tensors
        options = {"kernel_size": weight.shape[2:], "stride": ctx.stride, "padding": ctx.padding}
        columns = F.unfold(x, **options)
        flat = g.flatten(2)
        for_x = F.fold(weight.flatten(1).T @ flat, x.shape[2:], **options)
        for_weight = torch.einsum("nol,nkl->ok", flat, columns).view_as(weight)
        return for_x, for_weight, flat.sum((0, 2)) if ctx.bias else None, None, None, None


# %% bad_batch_and_channels_not_exchanged expected: wrong-shape from: transposed_convolution_with_guards
# -             padded = F.pad(x, (p, p, p, p)).transpose(0, 1)
# +             padded = F.pad(x, (p, p, p, p))


# %% bad_bias_kept_as_column expected: reshaped-gradient
import torch
import torch.nn.functional as F
from torch.nn.grad import conv2d_input, conv2d_weight


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.a = stride, padding, bias is not None
        return F.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        stride, padding, with_bias = ctx.a
        gw = conv2d_weight(x, weight.shape, g, stride, padding)
        gb = g.sum((0, 2, 3), keepdim=True) if with_bias else None
        return conv2d_input(x.shape, weight, g, stride, padding), gw, gb, None, None


# %% bad_bias_mean expected: mean-instead-of-sum from: transposed_convolution_with_guards
# -             grad_b = g.sum(dim=(0, 2, 3))
# +             grad_b = g.mean(dim=(0, 2, 3))


# %% bad_bias_mean_over_batch expected: mean-instead-of-sum from: transposed_convolution_with_guards
# -             grad_b = g.sum(dim=(0, 2, 3))
# +             grad_b = g.sum(dim=(2, 3)).mean(0)


# %% bad_bias_none expected: missing-gradient from: transposed_convolution_with_guards
# -             grad_b = g.sum(dim=(0, 2, 3))
# +             grad_b = None


# %% bad_bias_not_summed expected: missing-unbroadcast from: transposed_convolution_with_guards
# -             grad_b = g.sum(dim=(0, 2, 3))
# +             grad_b = g


# %% bad_bias_over_batch_only expected: missing-unbroadcast from: transposed_convolution_with_guards
# -             grad_b = g.sum(dim=(0, 2, 3))
# +             grad_b = g.sum(0)


# %% bad_bias_sign expected: wrong-sign from: transposed_convolution_with_guards
# -             grad_b = g.sum(dim=(0, 2, 3))
# +             grad_b = -g.sum(dim=(0, 2, 3))


# %% bad_bias_wrong_axes expected: wrong-sum-axis from: transposed_convolution_with_guards
# -             grad_b = g.sum(dim=(0, 2, 3))
# +             grad_b = g.sum(dim=(0, 1, 2))


# %% bad_convolves_forward_again expected: conv-not-transposed from: transposed_convolution_with_guards
# -             grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))
# +             grad_x = F.conv2d(g, weight, stride=s, padding=p)


# %% bad_convolves_forward_plain expected: conv-not-transposed from: transposed_convolution_with_guards
# -             grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))
# +             grad_x = torch.conv2d(g, weight)


# %% bad_cut_off_on_one_side expected: wrong from: loop_over_windows
# -             gx = gx[:, :, padding:-padding, padding:-padding]
# +             gx = gx[:, :, 2 * padding :, 2 * padding :]


# %% bad_first_sample_only expected: outputs-left-out from: loop_over_windows
# -                 gw += torch.einsum("no,nchw->ochw", g[:, :, i, j], xp[:, :, rows, cols])
# +                 gw += torch.einsum("no,nchw->ochw", g[:1, :, i, j], xp[:1, :, rows, cols])


# %% bad_forward_flips_kernel expected: forward-value from: loop_over_windows
# -                 y[:, :, i, j] = torch.einsum("nchw,ochw->no", window, weight)
# +                 y[:, :, i, j] = torch.einsum("nchw,ochw->no", window, weight.flip(2, 3))


# %% bad_forward_ignores_stride expected: forward-value from: loop_over_windows
# -                 window = xp[:, :, i * stride : i * stride + kh, j * stride : j * stride + kw]
# +                 window = xp[:, :, i : i + kh, j : j + kw]


# %% bad_guard_of_bias expected: wrong-needs-input-grad-index from: transposed_convolution_with_guards
# -         if bias is not None and ctx.needs_input_grad[2]:
# +         if bias is not None and ctx.needs_input_grad[3]:


# %% bad_guards_swapped expected: wrong-needs-input-grad-index from: transposed_convolution_with_guards
# -         if ctx.needs_input_grad[0]:
# -             grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))

#           if ctx.needs_input_grad[1]:
# +             grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))
# +         if ctx.needs_input_grad[0]:


# %% bad_kernel_flipped_once_more expected: conv-not-transposed from: transposed_convolution_with_guards
# -             grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))
# +             grad_x = F.conv_transpose2d(
# +                 g, weight.flip(2, 3), stride=s, padding=p, output_padding=(rest_h, rest_w)
# +             )


# %% bad_kernel_turned_in_loop expected: conv-not-transposed from: loop_over_windows
# -                 gx[:, :, rows, cols] += torch.einsum("no,ochw->nchw", g[:, :, i, j], weight)
# +                 gx[:, :, rows, cols] += torch.einsum("no,ochw->nchw", g[:, :, i, j], weight.flip(-1, -2))


# %% bad_one_window_missing expected: outputs-left-out from: loop_over_windows
# -             for j in range(g.shape[3]):
# +             for j in range(g.shape[3] - 1):


# %% bad_output_padding_forgotten expected: wrong from: transposed_convolution_with_guards
# -             grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))
# +             grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p)


# %% bad_padding_forgotten expected: wrong-shape from: transposed_convolution_with_guards
# -             grad_x = F.conv_transpose2d(g, weight, stride=s, padding=p, output_padding=(rest_h, rest_w))
# +             grad_x = F.conv_transpose2d(g, weight, stride=s, output_padding=(rest_h, rest_w))


# %% bad_padding_not_cut_off expected: wrong-shape from: loop_over_windows
# -         if padding:
# -             gx = gx[:, :, padding:-padding, padding:-padding]


# %% bad_stride_forgotten_in_weight expected: wrong
import torch
import torch.nn.functional as F
from torch.nn.grad import conv2d_input


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.a = stride, padding, bias is not None
        return F.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        stride, padding, with_bias = ctx.a
        kh, kw = weight.shape[2:]
        gw = F.conv2d(x.transpose(0, 1), g.transpose(0, 1), padding=padding).transpose(0, 1)[:, :, :kh, :kw]
        gb = g.sum((0, 2, 3)) if with_bias else None
        return conv2d_input(x.shape, weight, g, stride, padding), gw, gb, None, None


# %% bad_stride_zero_gradient expected: gradient-for-non-tensor from: transposed_convolution_with_guards
# -         return grad_x, grad_w, grad_b, None, None
# +         return grad_x, grad_w, grad_b, 0, 0


# %% bad_swapped expected: gradients-swapped from: transposed_convolution_with_guards
# -         return grad_x, grad_w, grad_b, None, None
# +         return grad_w, grad_x, grad_b, None, None


# %% bad_three_gradients expected: too-few-gradients from: transposed_convolution_with_guards
# -         return grad_x, grad_w, grad_b, None, None
# +         return grad_x, grad_w, grad_b


# %% bad_undeclared_in_place_is_fine_but_x_detached expected: detached-in-backward from: loop_over_windows
# - from torch.autograd.function import once_differentiable

# -     @once_differentiable

# -         x, weight = ctx.saved_tensors
# +         x, weight = (t.detach() for t in ctx.saved_tensors)


# %% bad_weight_averaged_over_batch expected: mean-instead-of-sum from: transposed_convolution_with_guards
# -             grad_w = F.conv2d(padded, g.transpose(0, 1), dilation=s).transpose(0, 1)[:, :, :kh, :kw]
# +             grad_w = F.conv2d(padded, g.transpose(0, 1), dilation=s).transpose(0, 1)[:, :, :kh, :kw] / len(x)


# %% bad_weight_channels_not_exchanged_back expected: missing-transpose
import torch
import torch.nn.functional as F
from torch.nn.grad import conv2d_input, conv2d_weight


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.a = stride, padding, bias is not None
        return F.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        stride, padding, with_bias = ctx.a
        gw = conv2d_weight(x, weight.shape, g, stride, padding).transpose(0, 1)
        gb = g.sum((0, 2, 3)) if with_bias else None
        return conv2d_input(x.shape, weight, g, stride, padding), gw, gb, None, None


# %% bad_weight_gradient_flipped expected: conv-not-transposed from: transposed_convolution_with_guards
# -             grad_w = F.conv2d(padded, g.transpose(0, 1), dilation=s).transpose(0, 1)[:, :, :kh, :kw]
# +             grad_w = (
# +                 F.conv2d(padded, g.transpose(0, 1), dilation=s).transpose(0, 1)[:, :, :kh, :kw].flip(2, 3)
# +             )


# %% bad_weight_halved expected: wrong-factor from: transposed_convolution_with_guards
# -             grad_w = F.conv2d(padded, g.transpose(0, 1), dilation=s).transpose(0, 1)[:, :, :kh, :kw]
# +             grad_w = F.conv2d(padded, g.transpose(0, 1), dilation=s).transpose(0, 1)[:, :, :kh, :kw] / 2


# %% bad_weight_overwritten expected: wrong from: loop_over_windows
# -                 gw += torch.einsum("no,nchw->ochw", g[:, :, i, j], xp[:, :, rows, cols])
# +                 gw = torch.einsum("no,nchw->ochw", g[:, :, i, j], xp[:, :, rows, cols])


# %% bad_windows_overwrite expected: overwrites-instead-of-accumulates from: loop_over_windows
# -                 gx[:, :, rows, cols] += torch.einsum("no,ochw->nchw", g[:, :, i, j], weight)
# +                 gx[:, :, rows, cols] = torch.einsum("no,ochw->nchw", g[:, :, i, j], weight)


# %% unfold_and_fold_otherwise expected: right
# A convolution is a matrix product of unfolded columns; fold is the transpose of unfold.
import torch
from torch.autograd import Function
from torch.nn import functional


class Conv2d(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.how = {"kernel_size": weight.shape[2:], "stride": stride, "padding": padding}
        y = functional.conv2d(x, weight, None, stride, padding)
        return y if bias is None else y + bias[:, None, None]

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        bars = grad_output.flatten(2)
        matrix = weight.flatten(1)
        gx = functional.fold(matrix.T @ bars, x.shape[2:], **ctx.how)
        gw = torch.einsum("bop,bkp->ok", bars, functional.unfold(x, **ctx.how)).reshape(weight.shape)
        gb = bars.sum((0, 2)) if ctx.needs_input_grad[2] else None
        return gx, gw, gb, None, None


# %% bad_keeps_the_padded_image expected: intermediate-kept-on-ctx
# Saves the padded image instead of x: first order is right, the second derivative with respect to x is lost.
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional


class Conv2d(Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None, stride: int, padding: int
    ) -> Tensor:
        framed = functional.pad(x, (padding, padding, padding, padding))
        ctx.save_for_backward(framed, weight)
        ctx.step, ctx.frame, ctx.size = stride, padding, x.shape[2:]
        return functional.conv2d(framed, weight, bias, stride)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor | None, ...]:
        framed, weight = ctx.saved_tensors
        s, p = ctx.step, ctx.frame
        m, n = grad_output.shape[2:]
        height, width = ctx.size
        total = torch.zeros_like(framed)
        entries = []
        for k in range(weight.shape[2]):
            for l in range(weight.shape[3]):
                here = (..., slice(k, k + s * (m - 1) + 1, s), slice(l, l + s * (n - 1) + 1, s))
                total[here] += torch.einsum("oc,boij->bcij", weight[:, :, k, l], grad_output)
                entries.append(torch.einsum("boij,bcij->oc", grad_output, framed[here]))
        grad_weight = torch.stack(entries, -1).view(weight.shape)
        grad_bias = grad_output.sum((0, 2, 3)) if ctx.needs_input_grad[2] else None
        return total[..., p : p + height, p : p + width], grad_weight, grad_bias, None, None


# %% bad_windows_written_not_added expected: overwrites-instead-of-accumulates
# Windows that overlap overwrite each other in the gradient of x instead of adding up.
import torch
from torch.autograd import Function
from torch.nn import functional


class Conv2d(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.hyper = (stride, padding)
        return functional.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        stride, padding = ctx.hyper
        batch, _, height, width = x.shape
        kh, kw = weight.shape[2:]
        image = functional.pad(x, [padding] * 4)
        grad_image = torch.zeros_like(image)
        grad_weight = torch.zeros_like(weight)
        for i in range(grad_output.shape[2]):
            for j in range(grad_output.shape[3]):
                top, left = i * stride, j * stride
                window = image[:, :, top : top + kh, left : left + kw]
                g = grad_output[:, :, i, j]
                grad_weight = grad_weight + torch.einsum("bo,bckl->ockl", g, window)
                grad_image[:, :, top : top + kh, left : left + kw] = torch.einsum("bo,ockl->bckl", g, weight)
        grad_x = grad_image[:, :, padding : padding + height, padding : padding + width]
        grad_bias = None
        if ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(dim=(0, 2, 3))
        return grad_x, grad_weight, grad_bias, None, None


# %% bad_always_a_bias expected: gradient-for-non-tensor
# Returns a gradient for the bias even if the bias was None.
import torch
from torch.autograd import Function
from torch.nn import functional


class Conv2d(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.stride = stride
        ctx.padding = padding
        return functional.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        kernel = weight.shape[2:]
        rest = [(size + 2 * ctx.padding - k) % ctx.stride for size, k in zip(x.shape[2:], kernel)]
        gx = functional.conv_transpose2d(
            grad_output, weight, stride=ctx.stride, padding=ctx.padding, output_padding=rest
        )
        columns = functional.unfold(x, kernel, padding=ctx.padding, stride=ctx.stride)
        gw = torch.einsum("bop,bkp->ok", grad_output.flatten(2), columns).reshape(weight.shape)
        return gx, gw, grad_output.sum(dim=[0, 2, 3]), None, None


# %% bad_padding_smaller_than_the_kernel_only expected: wrong
import torch
from torch.autograd import Function
from torch.nn import functional


class Conv2d(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding, ctx.has_bias = stride, padding, bias is not None
        return functional.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        s, p = ctx.stride, ctx.padding
        a, b = weight.shape[2:]
        m, n = grad_output.shape[2:]
        rows = x.shape[2] + 2 * p - a + 1  # as many as with stride 1
        columns = x.shape[3] + 2 * p - b + 1
        spread = grad_output.new_zeros(*grad_output.shape[:2], rows, columns)
        spread[:, :, ::s, ::s] = grad_output
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            flipped = weight.transpose(0, 1).flip(2, 3)
            grad_x = functional.conv2d(spread, flipped, padding=(a - 1 - p, b - 1 - p))
        if ctx.needs_input_grad[1]:
            grad_weight = functional.conv2d(x.transpose(0, 1), spread.transpose(0, 1), padding=p).transpose(
                0, 1
            )
        if ctx.has_bias and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum((0, 2, 3))
        return grad_x, grad_weight, grad_bias, None, None


# %% bad_padding_two expected: wrong-shape
# With a padding of 2 the gradient for x has a wrong shape and raises: no sample has a padding above 1;
# "padding: an int >= 0".
from typing import Any
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class Conv2d(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.s, ctx.p = stride, padding
        return functional.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        s, p = ctx.s, ctx.p
        h, w = x.shape[2:]
        kh, kw = weight.shape[2:]
        padded = functional.pad(x, (p, p, p, p))
        gp = torch.zeros_like(padded)
        gw = torch.zeros_like(weight)
        m, n = g.shape[2:]
        for k in range(kh):
            for l in range(kw):
                place = (
                    slice(None),
                    slice(None),
                    slice(k, k + s * (m - 1) + 1, s),
                    slice(l, l + s * (n - 1) + 1, s),
                )
                gp[place] += torch.einsum("oc,boij->bcij", weight[:, :, k, l], g)
                gw[:, :, k, l] = torch.einsum("boij,bcij->oc", g, padded[place])
        gx = gp[:, :, 1:-1, 1:-1] if p else gp
        return gx, gw, g.sum((0, 2, 3)) if ctx.needs_input_grad[2] else None, None, None


# %% bad_columns_cached expected: state-on-class
# the flipped weight is kept by lru_cache per tensor object: after an optimiser step in place the
# gradient for x uses the old weight.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


@functools.lru_cache(maxsize=32)
def flat(weight):
    return weight.flatten(1).T.clone()


class Conv2d(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding, ctx.bias = stride, padding, bias is not None
        return functional.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        kernel = weight.shape[2:]
        rows = g.flatten(2)
        gx = functional.fold(flat(weight) @ rows, x.shape[2:], kernel, padding=ctx.padding, stride=ctx.stride)
        columns = functional.unfold(x, kernel, padding=ctx.padding, stride=ctx.stride)
        gw = (rows @ columns.mT).sum(0).reshape(weight.shape)
        return gx, gw, g.sum((0, 2, 3)) if ctx.bias else None, None, None


# %% bad_remainder_without_padding expected: wrong
# output_padding is (h - kh) % stride without 2*padding, which agrees for stride 1 and 2 and for padding
# 0: for stride 3 and padding 1 backward returns the wrong shape and raises ("stride: an int > 0.
# padding: an int >= 0").
import torch
from torch.autograd import Function
from torch.nn import functional


class Conv2d(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding = stride, padding
        return functional.conv2d(x, weight, bias, stride, padding)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        s, p = ctx.stride, ctx.padding
        rest = tuple((n - k) % s for n, k in zip(x.shape[2:], weight.shape[2:]))
        gx = functional.conv_transpose2d(g, weight, None, s, p, rest)
        kh, kw = weight.shape[2:]
        gw = functional.conv2d(x.transpose(0, 1), g.transpose(0, 1), None, 1, p, dilation=s).transpose(0, 1)[
            :, :, :kh, :kw
        ]
        gb = g.sum((0, 2, 3)) if ctx.needs_input_grad[2] else None
        return gx, gw, gb, None, None
