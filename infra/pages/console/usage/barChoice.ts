import { useEffect, useState } from 'preact/hooks';

/** The bar whose numbers are shown, which a mouse, a finger or the arrow keys choose, and Escape closes. */
export function useBarChoice() {
  const [at, choose] = useState<number>();
  // So that a mouse can reach the link beside a bar.
  const [isPinned, pin] = useState(false);
  // A mouse that shows it needs no focus, so the key may be pressed anywhere.
  useEffect(() => {
    const pressed = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      pin(false);
      choose(undefined);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return {
    at,
    choose,
    /** @param bar undefined for a place beside the bars */
    pointed: (bar: number | undefined, isDown: boolean) => {
      if (isPinned && !isDown) return;
      choose(bar);
      if (isDown) pin(!isPinned || bar !== at);
    },
    left: (isMouse: boolean) => isMouse && !isPinned && choose(undefined),
  };
}
