/** The minimum with the first page's libraries: the splash's text behind a route, from an atom. */
import { atom, createStore, Provider, useAtomValue } from 'jotai';
import ky from 'ky';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Route, Routes } from 'react-router-dom';

const wordsAtom = atom('Your ride to faster deliveries');
const client = ky.create({ retry: 0 });

function Words() {
  return <p>{useAtomValue(wordsAtom)}</p>;
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <Provider store={createStore()}>
    <BrowserRouter>
      <Routes>
        <Route path="*" element={<Words />} />
      </Routes>
    </BrowserRouter>
  </Provider>,
);
Object.assign(globalThis, { client });
