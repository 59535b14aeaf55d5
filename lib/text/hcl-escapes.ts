/** A text in which HCL finds no interpolation: `${` is written `$${`, and `%{` is written `%%{`. */
export function withoutInterpolation(text: string): string {
  return text.replaceAll(/[$%](?=\{)/g, '$&$&');
}
