/** Reverse the following statement. */
export const NEGATIONS = `
  not, no, never, without, hardly, unlikely, fails to, failed to, fail to, failing to, no longer, neither, nor,
  cannot, lack of, lacks, lacked, unable to, avoid, avoids, avoided, averts, escape, escapes, far from, rule out,
  rules out, ruled out, denies, denied, deny, nobody, isnt, wont, dont, cant, doesnt, less, instead of, rather than,
  dismisses, shrugs off, shrug off, shrugged off, shakes off, withstand`

/** Make the following statement a possibility. */
export const HEDGES = `
  may, might, could, if, whether, possible, possibly, perhaps, potential, potentially, when, ahead of, before,
  to avoid, aims to, aim to, aims, seeks to, seek to, hopes to, hope to, wants to, want to, bid to, trying to, helps,
  help, designed to, in order to, should, can, must, until, enable, enables, enabling, solutions for`

/** Introduce a side remark, which counts less than the main statement. */
export const CONCESSIONS = `
  despite, in spite of, although, though, even as, even though, notwithstanding, regardless of`

/** Strengthen or weaken the following statement. */
export const INTENSITIES: readonly { value: number; words: string }[] = [
  {
    value: 1.35,
    words: `
      sharply, significantly, strongly, considerably, substantially, dramatically, massive, massively, huge, hugely,
      steeply, heavily, clearly, very, big, biggest, major, severe, severely, steep, sharp, significant, considerable,
      markedly, drastically, extremely, really, super`,
  },
  {
    value: 0.65,
    words: `
      slightly, somewhat, marginally, modestly, modest, slight, a bit, a little, little, small, partly, barely, mildly`,
  },
]

/** Introduce an earlier or expected figure: "7.4 mn, compared to 5.2 mn". */
export const COMPARISONS = `
  from, compared to, compared with, compares with, compares to, as compared to, as compared with, when compared to,
  when compared with, in comparison with, in comparison to, vs, versus, against, as against, as opposed to,
  instead of, down from, up from, consensus, est, exp, estimate, expected`

/** Begin a new clause. */
export const CLAUSE_STARTS = 'but, while, whereas, however, as, although, though, meanwhile, yet'
