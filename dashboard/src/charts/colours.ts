/** Returns a function that resolves a colour of the style sheet, such as --good, in the theme of the element. */
export function colourReader(element: HTMLElement): (name: string) => string {
  const probe = document.createElement('span')
  element.append(probe)
  return (name) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
}
