// Sends requests of operations to the API, if it has the same origin as this page. The API lets no page of another origin call it, because keys
// belong on servers.

const isLoopback = (host) => host === 'localhost' || host === '127.0.0.1';

/** Returns whether this page and the API have the same address. All names of the local machine count as one. */
const isHere = ({ hostname, port, origin }) =>
  origin === location.origin ||
  (isLoopback(hostname) && isLoopback(location.hostname) && port === location.port);

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

const api = URL.canParse(document.body.dataset.api) ? new URL(document.body.dataset.api) : undefined;
const place = document.querySelector('[data-operation]');

const labelled = (name, field) => make('label', {}, make('code', { textContent: name }), field);

/** Returns ids of existing records, by the ids in the examples. */
const idsOf = async () => {
  const answer = await fetch('ids.json');
  return answer.ok ? answer.json() : {};
};

/** Formats JSON for people, and returns any other text as it is. */
const indented = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

function form({ method, path, parameters, body }) {
  const key = make('input', {
    type: 'password',
    autocomplete: 'off',
    value: sessionStorage.getItem('key') ?? '',
  });
  const fields = parameters.map((parameter) => ({
    ...parameter,
    field: make('input', { value: parameter.value }),
  }));
  const text = body === undefined ? undefined : make('textarea', { value: JSON.stringify(body, null, 2) });
  const output = make('output');
  const button = make('button', { textContent: `Send ${method}` });
  const sent = make(
    'form',
    { className: 'send' },
    labelled('X-Api-Key', key),
    ...fields.map(({ name, field }) => labelled(name, field)),
    ...(text ? [labelled('body', text)] : []),
    button,
    output,
  );
  const filledIn = idsOf().then((ids) => {
    for (const { field } of fields) field.value = ids[field.value] ?? field.value;
  });
  sent.addEventListener('submit', async (event) => {
    event.preventDefault();
    sessionStorage.setItem('key', key.value);
    await filledIn;
    const filled = fields.filter(({ field }) => field.value !== '');
    const of = (where) =>
      filled.filter((one) => one.place === where).map(({ name, field }) => [name, field.value]);
    const ids = new Map(of('path'));
    const query = new URLSearchParams(of('query'));
    const target =
      api.pathname + path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids.get(name) ?? ''));
    const begun = performance.now();
    const show = (said, shown = '') =>
      output.replaceChildren(
        make('p', { textContent: said }),
        ...(shown === '' ? [] : [make('pre', { textContent: shown, tabIndex: 0 })]),
      );
    button.disabled = true;
    show('Sending…');
    await fetch(query.size > 0 ? `${target}?${query}` : target, {
      method,
      headers: {
        'X-Api-Key': key.value,
        ...Object.fromEntries(of('header')),
        ...(text ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(text ? { body: text.value } : {}),
    })
      .then(async (answer) => {
        const received = await answer.text();
        show(`${answer.status} in ${Math.round(performance.now() - begun)} ms`, indented(received));
      })
      .catch(() => show('No response received. Check your connection, then send it again.'));
    button.disabled = false;
  });
  return sent;
}

if (api && place && isHere(api)) {
  const programs = place.querySelector('.programs');
  const button = make('button', { type: 'button', className: 'primary try', textContent: 'Try it' });
  button.setAttribute('aria-expanded', 'false');
  let shown;
  button.addEventListener('click', () => {
    shown ??= form(JSON.parse(place.dataset.operation));
    if (shown.isConnected) shown.remove();
    else programs.after(shown);
    button.setAttribute('aria-expanded', String(shown.isConnected));
  });
  // After the labels, because the styles show a program that follows its label. The button is drawn next to them.
  programs.append(button);
}
