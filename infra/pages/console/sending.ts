import { useRef, useState } from 'preact/hooks';
import type { Problem } from './callProblem.ts';
import { draftOf, forgetDraft, keepDraft } from './drafts.ts';

/**
 * Where a request of a form is.
 * open: no answer of the server came, so it may have had its effect.
 */
export type Progress = { kind: 'idle' | 'pending' | 'open' } | { kind: 'refused'; problem: Problem };

/**
 * Sends the request of a form, and never two for one wish: a second click is ignored, and a repetition after a lost answer has the
 * same body and Idempotency-Key, also after the page was loaded again.
 * @param form the name of its draft, which is forgotten when the request succeeds
 * @param done gets the answer, and whether the request was sent before
 */
export function useSending<B, A>(
  form: string,
  request: (body: B, once: string) => Promise<A>,
  done: (answer: A, repeated: boolean) => void,
) {
  const [progress, show] = useState<Progress>({ kind: draftOf(form)?.sent ? 'open' : 'idle' });
  const busy = useRef(false);
  // Also here: another form may have begun the draft that is kept.
  const unanswered = useRef(draftOf(form)?.sent);

  async function run(fresh: B): Promise<void> {
    const before = unanswered.current;
    const sent = before ?? { once: crypto.randomUUID(), body: fresh };
    unanswered.current = sent;
    // Before it is sent: the page may be closed while it waits.
    keepDraft(form, { sent });
    try {
      const answer = await request(sent.body as B, sent.once);
      unanswered.current = undefined;
      forgetDraft();
      show({ kind: 'idle' });
      done(answer, before !== undefined);
    } catch (caught) {
      const problem = caught as Problem;
      // An earlier try may have had its effect although this one was refused without being looked at.
      const isOpen = problem.isOpen || (before !== undefined && [401, 429].includes(problem.status));
      if (!isOpen) {
        unanswered.current = undefined;
        keepDraft(form, { sent: undefined });
      }
      show(isOpen ? { kind: 'open' } : { kind: 'refused', problem });
    }
  }

  /** While it is open, the request is repeated as it was, whatever `body` is. */
  const send = (body: B) => {
    if (busy.current) return;
    busy.current = true;
    show({ kind: 'pending' });
    void run(body).finally(() => {
      busy.current = false;
    });
  };
  return { progress, send };
}
