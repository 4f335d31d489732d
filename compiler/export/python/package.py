"""Procedures exported from VLAD. Generated; do not edit.

Reals are floats, booleans are bools, arrays of any dimension are numpy arrays, and lists and pairs are tuples. Several
threads may call at the same time: each has memory of its own, which later calls reuse.
"""

import ctypes as _ctypes
import os as _os
import threading as _threading

import numpy as _numpy


class Error(Exception):
    """The procedure fails for its operands, or rows of a result differ in length."""


class _vlad_Context(_ctypes.Structure):
    _fields_ = [
        ("resize", _ctypes.c_void_p),
        ("user", _ctypes.c_void_p),
        ("stack_bytes", _ctypes.c_size_t),
        ("place", _ctypes.c_char_p),
        ("message", _ctypes.c_char_p),
        ("private", _ctypes.c_void_p * 11),
    ]


_vlad_library = _ctypes.CDLL(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "exports.so"))
_vlad_begin = _vlad_library.exports_begin
_vlad_begin.argtypes = [_ctypes.c_void_p]
_vlad_begin.restype = None
_vlad_end = _vlad_library.exports_end
_vlad_end.argtypes = [_ctypes.c_void_p]
_vlad_end.restype = None
_vlad_text = _vlad_library.exports_status_text
_vlad_text.argtypes = [_ctypes.c_int]
_vlad_text.restype = _ctypes.c_char_p
_vlad_library.exports_context_bytes.restype = _ctypes.c_size_t
if _vlad_library.exports_context_bytes() != _ctypes.sizeof(_vlad_Context):
    raise ImportError("the library of this package is of another version")

_vlad_MOST = 256
_vlad_TOO_SMALL = 3
_vlad_SIZE = _ctypes.sizeof(_ctypes.c_size_t)


class _vlad_Own:
    """The context of a thread, and the memory for scalar results and sizes of its calls."""

    def __init__(self, end=_vlad_end):
        self.context_of_c = _vlad_Context()
        self.context = _ctypes.addressof(self.context_of_c)
        self.reals = (_ctypes.c_double * _vlad_MOST)()
        self.at_reals = _ctypes.addressof(self.reals)
        self.booleans = (_ctypes.c_int * _vlad_MOST)()
        self.at_booleans = _ctypes.addressof(self.booleans)
        self.lengths = (_ctypes.c_size_t * (@MOST_RANK@ * _vlad_MOST))()
        self.at_lengths = _ctypes.addressof(self.lengths)
        # The lengths of results that differ from the sizes of operands, by result.
        self.room = {}
        self._end = end
        _vlad_begin(self.context)

    def __del__(self):
        self._end(self.context)


_vlad_thread = _threading.local()


def _vlad_own():
    """The state of the calling thread."""
    try:
        return _vlad_thread.own
    except AttributeError:
        own = _vlad_thread.own = _vlad_Own()
        return own


def use_stack(size):
    """Sets the bytes of this thread's stack that recursion in calls may use. The default is 262144."""
    if size < 1:
        raise ValueError("the size of the stack is a positive number of bytes")
    _vlad_own().context_of_c.stack_bytes = size


# Generated functions use this name, since a parameter may be called max.
_vlad_max = max

# The kinds of numpy types that are numbers: booleans, integers and floats.
_vlad_NUMBERS = "biuf"


def _vlad_is_masked(value):
    """True for masked arrays, and for lists that contain one: some of their numbers are missing."""
    if isinstance(value, (list, tuple)):
        return any(_vlad_is_masked(part) for part in value)
    return isinstance(value, _numpy.ma.MaskedArray)


def _vlad_is_number(value):
    """True for a single real number; false for texts, dates, complex numbers and None."""
    if isinstance(value, (_numpy.generic, _numpy.ndarray)):
        return value.ndim == 0 and value.dtype.kind in _vlad_NUMBERS and not _vlad_is_masked(value)
    return not isinstance(value, complex) and (hasattr(type(value), "__float__") or hasattr(type(value), "__index__"))


def _vlad_real(value, name):
    if type(value) is float:
        return value
    if isinstance(value, _numpy.ndarray) and value.ndim == 0 and value.dtype.kind == "O":
        value = value.item()
    if isinstance(value, _numpy.ndarray) and value.ndim and value.dtype.kind in _vlad_NUMBERS and not _vlad_is_masked(value):
        raise ValueError(f"{name} is a real, and no array of {value.ndim} dimensions")
    if _vlad_is_number(value):
        try:
            return float(value)
        except OverflowError:
            raise OverflowError(f"{name} is too large for a double") from None
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{name} is a real, and no {type(value).__name__}")


def _vlad_doubles(value, name, asarray=_numpy.asarray, float64=_numpy.float64, ndarray=_numpy.ndarray):
    """The numbers of an operand as an array of doubles. Operands that would lose information are refused."""
    if type(value) is not ndarray or value.dtype != float64:
        if _vlad_is_masked(value):
            raise TypeError(f"{name} has reals, and is no masked array: its method filled makes an array")
        try:
            array = asarray(value)
        except ValueError:
            raise ValueError(f"{name} has rows of different lengths") from None
        if array.dtype.kind not in _vlad_NUMBERS:
            if array.ndim == 0:
                raise TypeError(f"{name} has reals, and is no {type(value).__name__}")
            if array.dtype.kind != "O":
                raise TypeError(f"{name} has reals, and no elements of the type {array.dtype}")
            array = asarray([_vlad_real(part, f"an element of {name}") for part in array.flat], float64).reshape(array.shape)
        value = array
    return asarray(value, float64, "C")


def _vlad_vector(value, name, doubles=_vlad_doubles):
    array = doubles(value, name)
    if array.ndim != 1:
        raise ValueError(f"{name} is a vector, and no array of {array.ndim} dimensions")
    return array


def _vlad_array(value, name, rank):
    array = _vlad_doubles(value, name)
    if array.ndim != rank:
        expected = "a matrix" if rank == 2 else f"an array of {rank} dimensions"
        raise ValueError(f"{name} is {expected}, and no array of {array.ndim} dimensions")
    return array


def _vlad_boolean(value, name, numpy_bool=_numpy.bool_):
    if isinstance(value, (bool, numpy_bool)):
        return bool(value)
    raise TypeError(f"{name} is a bool, and no {type(value).__name__}")


def _vlad_parts(value, count, name):
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"{name} is a tuple or list of {count}, and no {type(value).__name__}")
    if len(value) != count:
        raise ValueError(f"{name} is a tuple or list of {count}, and has {len(value)}")


def _vlad_error(status, own):
    text = _vlad_text(status).decode()
    if status == 5:
        return MemoryError(text)
    if status == 6:
        return RecursionError(text)
    if status == 1:
        context = own.context_of_c
        text = context.message.decode(errors="replace") if context.message else text
        text = f"{text}, at {context.place.decode(errors='replace')}" if context.place else text
    return Error(text)


