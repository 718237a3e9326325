"""Stands for the modules that draw: every name is something that can be called and combined."""


class Picture:
    def __getattr__(self, _name):
        return lambda *_given: self


black = unit_y = Picture()


def label(picture, _text):
    return picture
