/**
 * Where the subject of a movement usually is: before the word ("profit rose"), after it ("raises the dividend"), only
 * after it ("weighs on sales"), on either side ("record sales"), or right beside it ("strong demand").
 */
export type SubjectSide = 'before' | 'after' | 'onto' | 'either' | 'quality'

interface MovementGroup {
  value: number
  side: SubjectSide
  words: string
}

/**
 * Words that mean more or less of something. Whether that is good depends on the subject (subject-words.ts): rising
 * profit is, rising costs are not.
 */
export const MOVEMENT_WORDS: readonly MovementGroup[] = [
  // Verbs whose grammatical subject moves, by strength.
  {
    value: 1.7,
    side: 'before',
    words: `
      soar, soars, soared, soaring, skyrocket, skyrockets, skyrocketed, skyrocketing, rocket, rocketed, rocketing,
      explode, explodes, exploded, mooning, quadrupled, tripled, triples, parabolic, multiplied`,
  },
  {
    value: 1.4,
    side: 'before',
    words: `
      surge, surges, surged, surging, jump, jumps, jumped, jumping, leaps, leaped, leapt, spike, spikes, spiked,
      spiking, rally, rallies, rallied, rallying, doubled, doubles, doubling, rip, rips, ripping, zooms, zoomed, boom,
      booms, booming, shot up, shoots up, shoot up, rises sharply, rose sharply`,
  },
  {
    value: 1,
    side: 'before',
    words: `
      rise, regain, regains, regained, ascend, ascends, ascended, rises, rose, risen, rising, climb, climbs, climbed,
      climbing, grow, grows, grew, grown, growing, gain, gains, gained, gaining, advance, advances, advancing,
      increase, increases, increased, increasing, improve, improves, improved, improving, improvement, improvements,
      rebound, rebounds, rebounded, rebounding, recover, recovers, recovered, recovering, recovery, bounce, bounces,
      bounced, bouncing, strengthen, strengthens, strengthened, strengthening, accelerate, accelerates, accelerated,
      accelerating, acceleration, pops, popped, went up, gone up, goes up, go up, going up, moved up, picked up,
      picks up, pick up, picking up, turned up, add to gains, extends gains, extend gains, extended gains,
      extends rally, uptick, upswing, upturn, breaks out, breakout, breaking out, broke out, run up, swelled, swells,
      widen, widens, widened, widening, deepen, deepened, deepens, mount, mounts, mounting, mounted, snowballed,
      higher`,
  },
  {
    value: 0.7,
    side: 'before',
    words: `
      edge up, edges up, edged up, edging up, inch up, inches up, inched up, inches higher, edges higher,
      edged higher, edge higher, inched higher, tick up, ticks up, ticked up, ticks higher, firm, firms, firmed,
      nudged up, drifts higher, creep up, crept up, steadies`,
  },
  {
    value: -1.7,
    side: 'before',
    words: `
      plunge, plunges, plunged, plunging, plummet, plummets, plummeted, plummeting, crash, crashes, crashed, crashing,
      collapse, collapses, collapsed, collapsing, crater, craters, cratered, cratering, nosedive, nosedives,
      nosedived, implode, implodes, imploded, freefall, free fall, tank, tanks, tanked, tanking, evaporated,
      evaporate, wiped out, wipe out, meltdown`,
  },
  {
    value: -1.4,
    side: 'before',
    words: `
      tumble, tumbles, tumbled, tumbling, slump, slumps, slumped, slumping, sink, sinks, sank, sunk, sinking, dive,
      dives, dived, diving, halved, halves, sell off, sells off, sold off, selling off, selloff, selloffs, sell offs,
      rout, routs, bloodbath, slammed, hammered, pummeled, pummelled, battered, clobbered, crushed, walloped,
      falls sharply, fell sharply, fall sharply, downturn, contraction, dumped, swoon, swoons, skid, skids, whacked,
      shed`,
  },
  {
    value: -1,
    side: 'before',
    words: `
      fall, vanish, vanishes, vanished, disappear, disappears, disappeared, plateau, diminish, diminished,
      diminishing, nosediving, falls, fell, fallen, falling, drop, drops, dropped, dropping, decline, declines,
      declined, declining, decrease, decreases, decreased, decreasing, slide, slides, slid, sliding, slip, slips,
      slipped, slipping, shrink, shrinks, shrank, shrunk, shrinking, weaken, weakens, weakened, weakening, weakness,
      worsen, worsens, worsened, worsening, deteriorate, deteriorates, deteriorated, deteriorating, deterioration,
      contracted, contracts sharply, retreat, retreats, retreated, retreating, stumble, stumbles, stumbled, dwindle,
      dwindled, dwindles, recede, receded, recedes, went down, gone down, goes down, go down, going down, came down,
      moved down, slow, slows, slowed, slowing, slowdown, decelerate, decelerated, decelerates, deceleration, erode,
      eroded, erodes, narrow, narrows, narrowed, narrowing, lose ground, loses ground, lost ground, sag, sags, sagged,
      pull back, pullback, pulls back, pulled back, lag, lags, lagged, lagging, downtrend, falter, falters, faltered,
      faltering, lower, evaporates, fade, fades, faded, fading, ebb, ebbed, abate, abates, abated, subside, subsided,
      subsides, fall short, falls short, fell short`,
  },
  {
    value: -0.7,
    side: 'before',
    words: `
      dip, dips, dipped, dipping, edge down, edges down, edged down, edging down, edges lower, edged lower,
      edge lower, inch down, inched down, inches lower, inched lower, ease, eases, eased, easing, soften, softens,
      softened, softening, tick down, ticks down, ticked down, drift lower, drifts lower, drifted, moderate,
      moderated, moderates, cool, cools, cooled, cooling, wobble, wobbles, wobbled`,
  },
  // Verbs with an object that moves.
  {
    value: 1,
    side: 'after',
    words: `
      raise, buoy, buoys, buoyed, underpin, underpins, top, tops, topped, topping, raises, raised, raising, boost,
      boosts, boosted, boosting, lift, lifts, lifted, lifting, hike, hikes, hiked, hiking, up its, ups, upped, upping,
      ramp up, ramps up, ramped up, exceed, exceeds, exceeded, exceeding, revive, revives, revived, reinstate,
      reinstates, reinstated, spur, spurs, spurred, propel, propels, propelled, step up, stepped up, steps up,
      increase its, increases its, increased its, raised its`,
  },
  // Support and plans: weaker, since nothing has moved yet.
  {
    value: 0.55,
    side: 'after',
    words: `
      support, supports, supported, bolster, bolsters, bolstered, bolstering, restore, restores, restored, enhance,
      enhances, enhanced, enhancing, expand, expands, expanded, expanding, expansion, resume, resumes, resumed,
      resuming, add, adds, added`,
  },
  {
    value: -1,
    side: 'after',
    words: `
      pare, given back, given up, pares, pared, give back, gives back, gave back, give up, gives up, gave up, erase,
      erases, erased, settle, settles, settled, cut, cuts, cutting, slash, slashes, slashed, slashing, reduce,
      reduces, reduced, reducing, reduction, reductions, lowers, lowered, lowering, trim, trims, trimmed, trimming,
      scale back, scales back, scaled back, scale down, cut back, cuts back, suspend, suspends, suspended, suspending,
      suspension, halt, halts, halted, halting, scrap, scraps, scrapped, withdraw, withdraws, withdrew, withdrawn,
      pulls its, curb, curbs, curbed, limit, limits, eliminate, eliminates, eliminated, axe, axes, axed, shed jobs,
      sheds, shedding, squeeze, squeezes, squeezed, reins in, rein in, reel in, reels in, undercut, stem, stems,
      stemmed, curtail, curtails, curtailed, ends, wipes out, end, ended, minimize, minimise, mitigate, avert, averts,
      averted, prevent`,
  },
  // Harm: the word before the verb is the cause.
  {
    value: -1,
    side: 'onto',
    words: `
      dent, eat into, eats into, ate into, eating into, dents, dented, denting, crimp, crimps, hurt, hurts, hurting,
      dampen, dampens, dampened, weigh on, weighs on, weighed on, weighing on, sap, saps, sapped, pressure, pressures,
      pressured, drags down, drag down, dragged down, knocks, knocked, batter, batters, squeezes margins`,
  },
  // Levels and adverbs.
  {
    value: 1,
    side: 'either',
    words: `
      bigger than, larger than, up, above, upward, upwards, higher, highest, growth, record, record high,
      record highs, all time high, all time highs, new high, new highs, month high, year high, week high, week highs,
      month highs, session highs, multi year high`,
  },
  {
    value: -1,
    side: 'either',
    words: `
      smaller than, down, below, downward, downwards, lower, lowest, record low, record lows, all time low, new low,
      new lows, month low, year low, week low, week lows, month lows, year lows, lows, lower than`,
  },
  // Adjectives.
  {
    value: 1,
    side: 'quality',
    words: `
      strong, stronger, strongest, robust, solid, healthy, better, impressive, buoyant, favourable, favorable, brisk,
      good, positive, excellent, booming`,
  },
  {
    value: -1,
    side: 'quality',
    words: `
      weak, weaker, weakest, soft, softer, poor, poorer, sluggish, lacklustre, lackluster, disappointing, worse,
      worst, dismal, subdued, muted, depressed, negative, tepid, anaemic, anemic, bleak, gloomy`,
  },
]
