# expected: wrong
import torch


class Crop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, image, box):
        ctx.shape, ctx.box = image.shape, box
        t, l, h, w = box
        return image[..., t : t + h, l : l + w].clone()

    @staticmethod
    def backward(ctx, g):
        t, l, h, w = ctx.box
        out = g.new_zeros(ctx.shape)
        out[..., t : t + h, l : l + w] = g
        return out, None


crop_op = Crop.apply
