def reference(image):
    return image.T
