/** What the one who looks and the one who measures must agree upon. */

/** Boxes that overlap by more are one thing: two of one label, or one thing under two labels (car, truck). */
export const SAME_THING = 0.6
/** Scores below this are no hint at all: the detector keeps none, so absence is never surer than this allows. */
export const FAINTEST = 0.05
