/** Words that the script adds to the recipient's page, in the page's language. */
const english = {
  live: 'Live',
  lastChecked: (time: string) => `Last checked ${time}`,
  cut: 'No connection',
  cutSince: (time: string) => `No connection. Last checked ${time}`,
  mapName: 'Where the courier is, to about 100 metres',
  mapLoading: 'Loading the map…',
  mapUnable: 'This browser can’t draw the map.',
  mapFailed: 'The map couldn’t be loaded. You can try again.',
  mapMissing: 'There is no map here.',
  notSent: 'Your note couldn’t be sent. It is kept here: check your connection and try again.',
};

export type Words = typeof english;

const languages: Record<string, Words> = { en: english };

/** Falls back to English. */
export const wordsFor = (language: string): Words =>
  languages[language.slice(0, 2).toLowerCase()] ?? english;
