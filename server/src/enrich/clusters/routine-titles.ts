/**
 * Reports whether a headline recurs with other news each day, or lists many events. Entries with such headlines join
 * copies of the same day only.
 */
export function isRoutineTitle(title: string): boolean {
  return ROUTINE.test(title.slice(0, 200))
}

const ROUTINE = new RegExp(
  [
    // lists
    '\\b(?:\\d{1,2}|three|four|five|six|seven|eight|nine|ten) (?:key |big |top |more )?(?:things|stories|takeaways|charts|stocks|reasons|headlines)\\b',
    '\\bthings to (?:know|watch)\\b',
    '\\b(?:what|stocks|earnings|events) to watch\\b',
    '\\bbiggest (?:stock )?mov(?:es|ers)\\b',
    '\\b(?:top|daily|weekly|morning|evening|latest) (?:stories|headlines|news|digest|brief|briefing|bid|update|roundup|recap|wrap)\\b',
    '\\b(?:news|market|markets|weekly|daily|earnings) (?:roundup|round-up|recap|wrap|wrap-up|digest|snapshot|summary|report|talk|minute)\\b',
    '\\b(?:week|day) (?:ahead|in review)\\b',
    '\\b(?:press digest|newsletter|stock movers|earnings calendar|economic calendar|on this day|photos of the day)\\b',
    // daily market reports
    '\\bstock market (?:today|news)\\b',
    '\\bhow (?:major )?(?:us |u\\.s\\. )?stock ind(?:exes|ices) fared\\b',
    '\\b(?:opening|closing) bell\\b',
    '^(?:us |u\\.s\\. |european |asian |asia |uk |global |world )?(?:stocks|shares|markets|equities|futures)(?: markets?)? (?:close|closed|end|ended|finish|finished|open|opened|edge|edged|mixed|higher|lower|rise|fall|slip|drift)\\b',
  ].join('|'),
  'i',
)
