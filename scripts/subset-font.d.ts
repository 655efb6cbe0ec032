// The package has no types, and those beside it are of an older version. https://github.com/papandreou/subset-font
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: undefined,
    options: { keepAllGlyphs: true; variationAxes: Record<string, { min: number; max: number }> },
  ): Promise<Buffer>
}
