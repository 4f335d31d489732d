/* Yardstick: the game of two players, Newton inside Newton inside Newton, with the tangents that are active: of b and a by
 * ASTAR. Reads the two guesses and the number of turns of each; prints the strategies. Compiled and run by itself, as
 * benches/record/2026-11-26-farfel.md says.
 */
#include <stdio.h>
int main(void) {
    double astar, b; double n;
    if (scanf("%lf%lf%lf", &astar, &b, &n) != 3) return 1;
    for (double i = 0; i < n; i++) {
        double a = astar, ad = 1, bd = 0;
        for (double j = 0; j < n; j++) {
            for (double k = 0; k < n; k++) {
                double price = 20 - 0.1 * b - 0.0999 * astar, priced = -0.0999 - 0.1 * bd;
                double rate = 10.005 - 0.05 * b, rated = -(0.05 * bd);
                double v = price + b * -0.1 - (rate + b * -0.05), vd = priced + bd * -0.1 - (rated + bd * -0.05);
                b = b - v / -0.1;
                bd = bd - vd / -0.1;
            }
            double price = 20 - 0.1 * a - 0.1 * b, priced = -0.1 * ad - 0.1 * bd;
            double rate = 10 - 0.05 * a, rated = -(0.05 * ad);
            double v = price + a * -0.1 - (rate + a * -0.05), vd = priced + ad * -0.1 - (rated + ad * -0.05);
            a = a - v / -0.1;
            ad = ad - vd / -0.1;
        }
        astar = astar - (a - astar) / (ad - 1);
    }
    printf("%.17g %.17g\n", astar, b);
    return 0;
}
