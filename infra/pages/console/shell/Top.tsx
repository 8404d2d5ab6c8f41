import type { ComponentChildren } from 'preact';
import { brand } from '../brand.ts';
import * as texts from './shellTexts.ts';

/** The line above every page: whose page it is, and what is beside it. */
export const Top = ({ children }: { children?: ComponentChildren }) => (
  <header class="top">
    <p class="crumbs">
      {brand.logo && <img src={brand.logo} alt="" />}
      {brand.name && (
        <>
          <strong>{brand.name}</strong> <span aria-hidden="true">/</span>{' '}
        </>
      )}
      <span>{texts.settings}</span> <span aria-hidden="true">/</span> <strong>{texts.integrations}</strong>
    </p>
    {children}
  </header>
);
