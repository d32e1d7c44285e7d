const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it stands in HTML and SVG, in attributes too. What no reader sees is left out. */
export function escaped(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, ' ')
    .replace(/[&<>"']/g, sign => SIGNS[sign] ?? sign)
}
