import { render } from 'preact';
import { followSession } from './session.ts';
import { App } from './shell/App.tsx';

// Before the first drawing: an effect would wait for it.
followSession();
render(<App />, document.getElementById('app') as HTMLElement);
