/** A value in an HTML template. Text and numbers are escaped, HTML is not; undefined is empty. */
type HtmlValue = Html | string | number | undefined | readonly HtmlValue[]

/** HTML with all inserted values escaped. Only the `html` tag creates it. */
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
 * Template tag that escapes values. Insert values only into the text of an element or a quoted attribute: escaping does
 * not protect styles, scripts, or names of tags and attributes.
 */
export const html = Html.tag

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (value === undefined) return ''
  if (typeof value === 'object') return value.map(textOf).join('')
  return String(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
