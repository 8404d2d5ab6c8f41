/** What the colors of a picture are for. */
export interface Colors {
  /** What is behind a picture, whose own background is transparent. */
  background: string;
  text: string;
  muted: string;
  grid: string;
  /** This API, what it is compared with first, and second. */
  ours: string;
  other: string;
  third: string;
}

/** Three hues of Okabe and Ito, which people with any color vision tell apart, darker on white; the backgrounds and grays of GitHub. */
export const themes: Record<'light' | 'dark', Colors> = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    muted: '#59636e',
    grid: '#d1d9e0',
    ours: '#0072b2',
    other: '#b84f00',
    third: '#007a59',
  },
  dark: {
    background: '#0d1117',
    text: '#f0f6fc',
    muted: '#9198a1',
    grid: '#3d444d',
    ours: '#56b4e9',
    other: '#f5934f',
    third: '#2bc79c',
  },
};

export type Theme = keyof typeof themes;
