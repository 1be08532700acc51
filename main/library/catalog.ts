/** The models that can be downloaded: resources/catalog.json, checked against its schema. */
import * as v from 'valibot';
import { CatalogEntry } from '../../contract/models.ts';
import catalog from '../../resources/catalog.json' with { type: 'json' };

export const CATALOG: readonly CatalogEntry[] = v.parse(v.array(CatalogEntry), catalog);

/** The file's name in the models folder, which is the last part of its address. */
export function fileNameOf({ url }: Pick<CatalogEntry, 'url'>): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}
