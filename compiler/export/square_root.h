/* The square root, correctly rounded, and the absolute value, without calls of the C library. */
#if defined(__GNUC__) && !defined(__TINYC__) && defined(__NO_MATH_ERRNO__)
static inline double vlad_root(double x) { return __builtin_sqrt(x); }
#elif defined(__GNUC__) && !defined(__TINYC__) && defined(__x86_64__)
/* The builtin would call the C library to set errno. */
static inline double vlad_root(double x) {
    double root;
    __asm__("sqrtsd %1, %0" : "=x"(root) : "x"(x));
    return root;
}
#elif defined(__GNUC__) && !defined(__TINYC__) && defined(__aarch64__)
static inline double vlad_root(double x) {
    double root;
    __asm__("fsqrt %d0, %d1" : "=w"(root) : "w"(x));
    return root;
}
#else
/* Computes the root of digits * 2^54 bit by bit, in integers. It has 54 bits, and the last one rounds. The square root
 * of a double is never halfway between two doubles. */
static inline double vlad_root(double x) {
    union vlad_bits bits;
    bits.real = x;
    if (x == 0 || bits.word == UINT64_C(0x7ff0000000000000)) return x;
    if (!(x > 0)) return (x - x) / (x - x);
    int exponent = (int)(bits.word >> 52) - 1075;
    uint64_t digits = bits.word & UINT64_C(0xfffffffffffff), root = 0, rest = 0;
    if (exponent > -1075) digits |= UINT64_C(1) << 52;
    else exponent++;
    while (digits >> 52 == 0) digits <<= 1, exponent--;
    if (exponent & 1) digits <<= 1, exponent--;
    for (int turn = 0; turn < 54; turn++) {
        rest = rest << 2 | (turn < 27 ? digits >> (52 - 2 * turn) & 3 : 0);
        uint64_t trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) rest -= trial, root |= 1;
    }
    /* root = sqrt(digits) 2^27, between 2^53 and 2^54. */
    root = (root + 1) >> 1;
    exponent = exponent / 2 - 26;
    bits.word = (root & UINT64_C(0xfffffffffffff)) | (uint64_t)(exponent + 1075 + (int)(root >> 53)) << 52;
    return bits.real;
}
#endif
static inline double vlad_square_root(struct vlad_machine *m, double x) {
    (void)m;
    return vlad_root(x);
}
static inline double vlad_absolute(struct vlad_machine *m, double x) {
    union vlad_bits bits;
    (void)m;
#if defined(__GNUC__) && !defined(__TINYC__)
    bits.real = __builtin_fabs(x);
#else
    bits.real = x;
    bits.word &= UINT64_C(0x7fffffffffffffff);
#endif
    return bits.real;
}
