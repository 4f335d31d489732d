"""Calls of exported gradients from Python (benches/src/bin/exports.rs): prints for each a name, the nanoseconds of a call,
and those of the same computation by numpy. The least of several rounds counts."""

import timeit

import model
import numpy

CALLS = 20000
short = numpy.array([1.5])
long = numpy.arange(100.0)

for name, call, by_numpy in [
    ("derivative,_forward", lambda: model.slope(1.5), lambda: 3 * 1.5 * 1.5 + 2),
    ("gradient_by_two_reals,_reverse", lambda: model.product(1.5, 2.5), lambda: (2.5 * 2.5, 2 * 1.5 * 2.5)),
    ("gradient_by_a_vector_of_1", lambda: model.squares(short), lambda: 2 * short),
    ("gradient_by_a_vector_of_100", lambda: model.squares(long), lambda: 2 * long),
]:
    taken = [min(timeit.repeat(what, number=CALLS, repeat=9)) / CALLS for what in (call, by_numpy)]
    print(name, *[f"{1e9 * seconds:.0f}" for seconds in taken])
