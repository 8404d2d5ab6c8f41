const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => escapes[one] as string);

/** Returns the part of an address that names a heading. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Matches the parts of code to colour, in the syntax of all languages in the reference. */
const parts =
  /(?<comment>\/\*[\s\S]*?\*\/|(?<![:"'\w])\/\/[^\n]*|(?<=^|\s)#[^\n]*)|(?<name>"(?:[^"\\\n]|\\.)*"(?=:))|(?<string>"(?:[^"\\\n]|\\.)*"|(?<!\})'(?!\{)(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<word>\b(?:async|await|class|const|curl|defer|else|export|false|for|from|func|function|if|import|interface|let|nil|None|null|of|package|return|throw|true|True|False|with|yield)\b)|(?<number>(?<=[:,[(] ?)-?\d+(?:\.\d+)?(?=[\s,\])};]))/gm;

/** Returns code in HTML. Its lines can be wider than the page, so it can be scrolled, even with the keyboard. */
export function codeBlock(code: string): string {
  let [html, end] = ['', 0];
  for (const { 0: text, index, groups = {} } of code.matchAll(parts)) {
    const [kind] = Object.entries(groups).find(([, value]) => value !== undefined) as [string, string];
    html += `${escaped(code.slice(end, index))}<span class="${kind}">${escaped(text)}</span>`;
    end = index + text.length;
  }
  return `<pre tabindex="0"><code>${html}${escaped(code.slice(end))}</code></pre>`;
}

export const jsonBlock = (value: unknown): string => codeBlock(JSON.stringify(value, null, 2));

/**
 * Returns code in several languages, one of which is shown. Choosing a language needs no script.
 * @param group names the choice on its page
 * @param legend what is chosen
 */
export function codeTabs(
  group: string,
  programs: readonly { name: string; code: string }[],
  legend = 'Language',
): string {
  const tabs = programs.map(({ name, code }, n) => {
    const id = `${group}-${slugOf(name)}`;
    return `<input type="radio" name="${group}" id="${id}" value="${slugOf(name)}"${n === 0 ? ' checked' : ''}><label for="${id}">${name}</label><div class="program">${codeBlock(code)}</div>`;
  });
  return `<fieldset class="programs"><legend>${legend}</legend>${tabs.join('')}</fieldset>`;
}
