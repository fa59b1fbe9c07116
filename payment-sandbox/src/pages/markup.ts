/** HTML in which every inserted text is escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type MarkupValue = Markup | string | undefined | readonly MarkupValue[]

/** Builds HTML. Insert values only into the text of an element or into a quoted attribute: nowhere else is escaping enough. */
export function markup(parts: TemplateStringsArray, ...values: MarkupValue[]): Markup {
  return new Markup(parts.map((part, index) => part + render(values[index])).join(''))
}

function render(value: MarkupValue): string {
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return (value ?? '').replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
