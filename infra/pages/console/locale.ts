/** Some browsers name languages in a way that they do not take themselves, as "en-US@posix". */
function isTaken(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

/** The languages of the browser, which say how numbers and times are written. Texts are English. */
export const languages: readonly string[] = navigator.languages.filter(isTaken);

/** The time zone of the browser: "Europe/Berlin". */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const whole = new Intl.NumberFormat([...languages]);

/** A number with its thousands apart: "48,211". */
export const counted = (number: number): string => whole.format(number);
