import { useLoading } from '../loading.ts';
import { readKeys } from '../readKeys.ts';
import { hrefOf } from '../route.ts';

/** A link to a key by its name, or by its id while the name is not known. */
export function KeyName({ id }: { id: string }) {
  const { data: keys } = useLoading(readKeys, 'keys');
  return (
    <a href={hrefOf('keys', id)}>
      <bdi>{keys?.find((key) => key.id === id)?.name ?? id}</bdi>
    </a>
  );
}
