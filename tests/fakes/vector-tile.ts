/** A hand-written Mapbox vector tile (version 2): one layer 'land' with one square. */

const extent = 4096;

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);
const numberField = (field: number, value: number) => [...varint(field << 3), ...varint(value)];
const bytesField = (field: number, bytes: number[]) => [
  ...varint((field << 3) | 2),
  ...varint(bytes.length),
  ...bytes,
];

const moveTo = (count: number) => (count << 3) | 1;
const lineTo = (count: number) => (count << 3) | 2;
const closePath = (1 << 3) | 7;

export function squareTile(): Buffer {
  const [from, side] = [512, 3072];
  const geometry = [
    ...[moveTo(1), zigzag(from), zigzag(from)],
    ...[lineTo(3), zigzag(side), 0, 0, zigzag(side), zigzag(-side), 0],
    closePath,
  ];
  const polygon = 3;
  const feature = [...numberField(3, polygon), ...bytesField(4, geometry.flatMap(varint))];
  const layer = [
    ...numberField(15, 2),
    ...bytesField(1, [...Buffer.from('land')]),
    ...bytesField(2, feature),
    ...numberField(5, extent),
  ];
  return Buffer.from(bytesField(3, layer));
}
