import { group, textLike } from './settingRules.ts';

/** The background of the page and the text on its accent colour: `--ground` in its style, light and dark. */
const grounds = { light: '#ffffff', dark: '#14161c' } as const;

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** Returns the relative luminance of a colour such as `#3346d3`. https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** WCAG 2.2, 1.4.3: links are written in the accent colour, and buttons show text on it. */
const contrastMin = 4.5;

function accentOn(theme: keyof typeof grounds, example: string) {
  const ground = grounds[theme];
  const rule = `a colour like "${example}" with a contrast of ${contrastMin} to ${ground}, on which it is`;
  const shape = /^#[0-9a-f]{6}$/;
  // A text that is not a colour is already refused by its shape.
  const isRead = (colour: string) => !shape.test(colour) || contrastOf(colour, ground) >= contrastMin;
  return textLike(shape, rule).refine(isRead, {
    error: ({ input }) => `must be ${rule}, and ${input} has ${contrastOf(String(input), ground).toFixed(1)}`,
  });
}

/** The page is fetched again at each visit, and contains the logo. */
const logoMax = 16_000;

/** The brand of the page: what a stage says about its product, and nothing else. */
export const brandSettings = () =>
  group({
    /** The product's name, as people call it. */
    name: textLike(/^[^<>"&\p{C}]{1,40}$/u, 'a name of up to 40 characters, none of them < > " &').optional(),
    logo: textLike(
      new RegExp(`^data:image/(svg\\+xml|png|webp);base64,[A-Za-z0-9+/]{1,${logoMax}}={0,2}$`),
      `an image like "data:image/svg+xml;base64,…" of up to ${logoMax} characters`,
    ).optional(),
    accent: group({ light: accentOn('light', '#3346d3'), dark: accentOn('dark', '#9aa8ff') }).optional(),
  });
