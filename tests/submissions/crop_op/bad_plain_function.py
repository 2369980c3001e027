# expected: wrong
def crop_op(image, box):
    top, left, height, width = box
    return image[..., top : top + height, left : left + width].clone()
