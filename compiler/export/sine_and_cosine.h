/* The sine and the cosine of one angle. */
struct vlad_sine_and_cosine {
    double sine, cosine;
};
static inline struct vlad_sine_and_cosine vlad_sine_and_cosine(struct vlad_machine *m, double x) {
    struct vlad_sine_and_cosine both;
    (void)m;
    VLAD_SINE_AND_COSINE(x, &both.sine, &both.cosine);
    return both;
}
