/** What is text at all, and one text however a keyboard writes it. */
import { describe, expect, it } from 'vitest';
import { readForm } from '#server/http/forms.ts';
import { hasNoCharacters, readUtf8 } from '#server/http/utf8.ts';
import { hashPassword, isPassword } from '#server/modules/auth/passwords.ts';
import { codeOf, fileStage, outcomeOf } from './stage.ts';
import { offered } from './tracking-stage.ts';

const stage = fileStage();

describe('a body', () => {
  const bodies: [string, Buffer][] = [
    ['Latin-1', Buffer.from('{"notes":"Café"}', 'latin1')],
    ['UTF-16', Buffer.from('{"notes":"Kofa"}', 'utf16le')],
    ['half a character', Buffer.from([...Buffer.from('{"notes":"'), 0xe2, 0x82, 0x22, 0x7d])],
    ['an overlong form', Buffer.from([...Buffer.from('{"notes":"'), 0xc0, 0xaf, 0x22, 0x7d])],
    ['U+FFFF', Buffer.from('{"notes":"a\uffff"}')],
    ['U+FFFE by an escape', Buffer.from('{"notes":"a\\ufffe"}')],
    ['U+FDD0', Buffer.from('{"notes":"\ufdd0"}')],
    ['U+1FFFE', Buffer.from('{"notes":"\u{1fffe}"}')],
    ['half a pair by an escape', Buffer.from('{"notes":"\\ud83d"}')],
    ['a name of half a pair', Buffer.from('{"\\ud83d":"x"}')],
    ['one deep inside', Buffer.from('{"notes":[{"a":["\\uffff"]}]}')],
  ];

  it.each(bodies)('with %s is 400', async (_, payload) => {
    const sender = await stage().person('Customer');
    const { _id } = await stage().created(sender);
    const answer = await stage().app.inject({
      method: 'PATCH',
      url: `/api/packages/${_id}`,
      payload,
      headers: { authorization: `Bearer ${sender.token}`, 'content-type': 'application/json' },
    });
    expect(outcomeOf({ status: answer.statusCode, body: answer.json() })).toEqual([
      400,
      'malformed',
    ]);
  });

  it('of any script is taken as it is', () => {
    for (const text of ['Ƙofar Mata', 'Ọ̀ṣun', '🚚', '\ufffd', '中', 'مرحبا']) {
      expect(readUtf8(Buffer.from(text))).toBe(text);
      expect(hasNoCharacters({ text: [text] })).toBe(false);
    }
  });
});

describe('a form', () => {
  const forms: [string, Buffer][] = [
    ['Latin-1', Buffer.from('kind=other&text=Café', 'latin1')],
    ['Latin-1 behind percent signs', Buffer.from('kind=other&text=Caf%E9')],
    ['half a character', Buffer.from('kind=other&text=%E2%82')],
    ['an overlong form', Buffer.from('kind=other&text=%C0%AF')],
    ['half a pair', Buffer.from('kind=other&text=%ED%A0%BD')],
    ['UTF-16', Buffer.from('\ufeffkind=other&text=Kofa', 'utf16le')],
    ['U+FFFF', Buffer.from('kind=other&text=%EF%BF%BF')],
    ['a name that is none', Buffer.from('kind=other&te%FFxt=Kofa')],
  ];

  it.each(forms)('with %s is 400, on the recipient’s page', async (_, payload) => {
    const { path } = await offered(stage());
    const type = 'application/x-www-form-urlencoded';
    const answer = await stage().app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': type },
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      400,
      'text/html; charset=utf-8',
    ]);
  });

  it('of any script is read as it is', () => {
    for (const text of ['Ọ̀ṣun & sons', '🚚 100%', '\ufffd', 'مرحبا', 'a+b = c']) {
      const body = Buffer.from(new URLSearchParams({ text }).toString());
      expect(readForm(body)?.get('text')).toBe(text);
      expect(readForm(Buffer.from(`text=${text.replace(/[&+%]/g, '-')}`))?.get('text')).toBe(
        text.replace(/[&+%]/g, '-'),
      );
    }
    expect(readForm(Buffer.from('text=100%+cotton'))?.get('text')).toBe('100% cotton');
  });
});

describe('a letter with its mark, as one character or as two', () => {
  const [one, two] = ['Ọ̀ṣun-café'.normalize('NFC'), 'Ọ̀ṣun-café'.normalize('NFD')];

  it('is one password', async () => {
    for (const stored of [await hashPassword(one), await hashPassword(two)]) {
      expect([await isPassword(stored, one), await isPassword(stored, two)]).toEqual([true, true]);
      expect(await isPassword(stored, 'Osun-cafe')).toBe(false);
    }
  });

  it('is one email', async () => {
    const body = { email: `${one}@kaya.test`, password: 'a-good-password', role: 'Customer' };
    const path = '/api/auth/signup';
    expect((await stage().send(null, 'POST', path, { body })).status).toBe(201);
    const again = { ...body, email: `${two}@kaya.test` };
    expect(await codeOf(stage().send(null, 'POST', path, { body: again }))).toBe('email_taken');
    expect((await stage().signIn(again.email)).token).toBeTruthy();
  });
});
