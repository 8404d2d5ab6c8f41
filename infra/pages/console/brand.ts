const { name, logo } = (document.getElementById('app') as HTMLElement).dataset;

/** Whose page it is, when the stage says it. */
export const brand: { name: string | undefined; logo: string | undefined } = { name, logo };

/** The product in a sentence, at its beginning or elsewhere. */
export const productName = (isFirst = false): string => name ?? (isFirst ? 'The product' : 'the product');
