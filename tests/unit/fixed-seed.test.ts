import * as fc from 'fast-check';
import { expect, it } from 'vitest';

it('a random test draws the same each time', () => {
  const drawn: number[][] = [];
  for (let run = 0; run < 2; run += 1) {
    const numbers: number[] = [];
    fc.assert(fc.property(fc.nat(), (number) => void numbers.push(number)));
    drawn.push(numbers);
  }
  expect(drawn[0]).toEqual(drawn[1]);
});
