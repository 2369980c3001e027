# expected: right
import torch

library = torch.library.Library("right4", "FRAGMENT")
if not hasattr(torch.ops.right4, "crop"):
    library.define("crop(Tensor image, int[] box) -> Tensor")

    @torch.library.impl(library, "crop", "CPU")
    def _(image, box):
        t, l, h, w = box
        return image[..., t : t + h, l : l + w].clone()

    @torch.library.register_fake("right4::crop", lib=library)
    def _(image, box):
        return image.new_empty((*image.shape[:-2], *box[2:]))

    def backward(ctx, g):
        t, l, h, w = ctx.box
        out = g.new_zeros(ctx.shape)
        out[..., t : t + h, l : l + w].copy_(g)
        return out, None

    def setup(ctx, inputs, output):
        ctx.shape, ctx.box = inputs[0].shape, list(inputs[1])

    torch.library.register_autograd("right4::crop", backward, setup_context=setup, lib=library)

crop_op = torch.ops.right4.crop
