"""crop_op: a torch.library custom op."""
