import { counted } from '../numbers.ts';
import * as texts from './texts.ts';

interface Props {
  page: number;
  size: number;
  count: number;
  turn: (page: number) => void;
}

/** Leads to the page before and the one after; nothing when there is one page. */
export const Pager = ({ page, size, count, turn }: Props) =>
  count <= size ? null : (
    <nav class="pager" aria-label={texts.pages}>
      <button type="button" disabled={page === 1} onClick={() => turn(page - 1)}>
        {texts.previous}
      </button>
      <span>
        {texts.of(counted((page - 1) * size + 1), counted(Math.min(count, page * size)), counted(count))}
      </span>
      <button type="button" disabled={page * size >= count} onClick={() => turn(page + 1)}>
        {texts.next}
      </button>
    </nav>
  );
