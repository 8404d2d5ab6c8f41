import { languages } from './locale.ts';

const whole = new Intl.NumberFormat([...languages]);

/** A number with its thousands apart: "48,211". */
export const counted = (number: number): string => whole.format(number);
