# expected: wrong
def crop_op(image, box):
    raise NotImplementedError
