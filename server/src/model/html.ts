/** What may be put into HTML: text and numbers, which are escaped, and HTML, which is not; undefined leaves nothing. */
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[]

/** HTML in which every value from elsewhere was escaped: only the tag makes it. */
export class Html {
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  static tag(this: void, parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
    return new Html(parts.map((part, index) => part + textOf(values[index])).join(''))
  }
}

/**
 * The tag of templates. A value may stand in the text of an element or in an attribute that has quotes around it, and
 * nowhere else: in a style or a script, or as the name of a tag, escaping would not help.
 */
export const html = Html.tag

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (value === undefined) return ''
  if (typeof value === 'object') return value.map(textOf).join('')
  return String(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
