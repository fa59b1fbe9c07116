/** Words and idioms that are good or bad whatever their context, graded by how much an investor cares. */
export const POLARITY_WORDS: readonly { value: number; words: string }[] = [
  // Bankruptcy and crime.
  {
    value: -2.2,
    words: `
      bankruptcy, bankrupt, bankruptcies, chapter 11, insolvency, insolvent, liquidation, receivership, goes bust,
      gone bust, went bust, files for administration, enters administration, fraud, fraudulent, ponzi, embezzlement,
      money laundering, rug pull, rugged, rekt, delisted, delisting, accounting scandal, cooked the books,
      market crash, catastrophe, catastrophic, apocalypse, worthless`,
  },
  // Serious trouble.
  {
    value: -1.5,
    words: `
      scandal, gave notice to, given notice, furlough, furloughs, furloughed, death knell, insolvencies,
      brink of collapse, default on, defaults on, defaulted, junk status, cut to junk, going concern, profit warning,
      profit warnings, warns on profit, restatement, write down, writes down, written down, writedown, writedowns,
      write off, writes off, lay off, lays off, laid off, laying off, layoff, layoffs, lay offs, job cuts, job losses,
      redundancies, redundant, staff cuts, dismissals, shut down, shuts down, shutting down, will be closed,
      closure of, closures, turmoil, panic, disaster, disastrous, devastates, devastating, devastated, recession,
      depression, bear market, death cross, bloodshed, carnage, massacre, doomed, toxic, hack, hacked, exploit,
      data breach, cyberattack, indicted, indictment, bribery, corruption, criminal charges, price fixing, cartel,
      class action`,
  },
  // Courts, regulators, customers.
  {
    value: -1,
    words: `
      lawsuit, legal action, hit with, suit against, deceived, misled, misleading, under fire, malware, stolen,
      hackers, crisis, correction, lawsuits, sued, sues, suing, probe, probes, probed, probing, under investigation,
      investigation into, investigated, subpoena, subpoenaed, fined, fine, fines, penalty, penalties, accused,
      accuses, accuse, accusations, allegations, alleged, alleges, violated, violation, violations, breach, breached,
      misconduct, guilty, charged with, antitrust, crackdown, cracks down, sanctions, sanctioned, ban, banned, bans,
      banning, blocked, blocks, thumbs down, turned down, recall, recalls, recalled, recalling, defect, defects,
      defective, faulty, contaminated, boycott, protests`,
  },
  // Stopped operations.
  {
    value: -1,
    words: `
      strike, strikes, walkout, outage, outages, explosion, fire at, accident, grounded, grounding, discontinue,
      discontinues, discontinued, terminate, terminates, terminated, termination of, cancel, cancels, cancelled,
      canceled, cancellation, cancellations, postpone, postponed, postpones, delay, delayed, delays, setback,
      setbacks, shutter, shutters, store closures, closing stores, codetermination, co determination,
      personnel negotiations, redundancy`,
  },
  // Bad results, falling shares, negative opinions.
  {
    value: -1,
    words: `
      warn, pulls the plug, pull the plug, red flag, red flags, underwhelm, underwhelms, downbeat, punished, distress,
      distressed, reasons to sell, time to sell, on the light side, stagnated, stagnates, disruption, disruptions,
      disrupted, disrupts, warns, warned, warning, warnings, miss, misses, missed, missing estimates,
      missing expectations, worse than expected, worse than feared, wider than expected, disappoint, disappoints,
      disappointed, disappointment, loses, lost, losing, fails, failed, failure, fail, failing, hit by, hits demand,
      hard hit, hit hard, take a hit, takes a hit, took a hit, takes toll, take toll, struggle, struggles, struggled,
      struggling, suffer, suffers, suffered, suffering, sour, soured, sours, unprofitable, in the red, into the red,
      no dividend, omits dividend, omit dividend, passes dividend, skip dividend, dilution, dilutive, equity offering,
      discounted offering, downgrade, downgrades, downgraded, double downgrade, underperform, underperforms,
      underperformed, underperforming, overvalued, overpriced, bubble, unsustainable, dump, dumping, dumps,
      are selling, bear, bears, bearish, short seller, downside, gloom, gloomy, grim, bleak, dire, doubt, doubts,
      ugly, painful, pain, contagion, jitters, headwinds, woes, troubled, trouble, troubles, jeopardy, at risk,
      breakdown, breaks support, bull trap, dead cat bounce, bagholders, fud, bleeding, getting crushed,
      getting killed, get crushed, shorting, obliterated, plunge protection`,
  },
  // Losses that neither grow nor shrink.
  {
    value: -0.8,
    words: `
      loss, losses, net loss, operating loss, pretax loss, loss making, impairment, impairments, impairment losses,
      impairment charge, write downs, damages, ordered to pay, negative effect, negative impact, burdened by, weighed down by, adverse effect,
      adverse impact, remain difficult, remains difficult, remain challenging, remains challenging, remain weak,
      remains weak`,
  },
  // Mildly negative.
  {
    value: -0.55,
    words: `
      fears, embattled, beleaguered, ailing, cash strapped, abandon, abandons, abandoned, scrutiny, turbulent,
      turbulence, emergency, ousts, clash, went wrong, strain, strains, shock, shocks, looms, loom, slowest, darker,
      forced to, mocked, ridicule, stutter, stutters, bottleneck, bottlenecks, sluggishness, writeoffs, blow to,
      blow for, a blow, feared, concern, concerns, concerned, worries, worried, worrying, uncertain, uncertainty,
      caution, cautions, cautiously, pessimistic, pessimism, skeptical, sceptical, nervous, anxiety, tension,
      tensions, volatile, volatility, pressure, pressured, pressures, under pressure, challenging, challenges,
      difficult, difficulties, tough, tougher, problematic, risky, risk off, unfavourable, unfavorable, adverse,
      adversely, drag, drags, dragged, burden, hurdle, stuck, stalled, stalls, stall, stagnant, stagnation,
      stagflation, criticism, criticized, criticised, criticizes, slams, blasts, blames, backlash, feud, dispute,
      deadlock, exodus, ousted, rejects, rejected, rejection, threatens, threatened, threat, threats, unable to,
      hamper, hampered, hampers, damage, damaged, victim, victims, glut, shortage, shortages, one off charge,
      restructuring charge, writeoff, unlawful, bought puts, buying puts, put buyers, put options, put volume,
      put buying, puts, overbought, expensive, short, shorted, sellers, resistance, losers, loser, biggest losers,
      souring on, cashing out, getting burned, not crazy about, bailing on, sidelines, sideline, shy of, lighter than,
      spook, spooks, spooked, shaken, rattle, rattles, rattled, bad, sad, terrible, awful, horrible, nightmare, hate,
      lose`,
  },
  // Background: too weak to decide alone.
  {
    value: -0.4,
    words: `
      coronavirus, pandemic, outbreak, virus, epidemic, covid, fear, worry, problem, problems, illegal, cautious,
      exits, fired, threaten, reject`,
  },
  // Outstanding success.
  {
    value: 1.6,
    words: `
      beats and raises, blows past, blew past, plow past, sails past, crushing it, beat and raise, blowout,
      blockbuster, blow past, smashes, smashed, crushes, crushed estimates, crushes estimates, smaller than feared,
      smaller than expected, narrower than expected, less than feared, smaller loss, narrower loss, smaller losses,
      record profit, record profits, record earnings, record sales, record revenue, record quarter, record year,
      record order, fda approval, fda approves, fda nod, wins approval, gets approval, won approval, breakthrough,
      short squeeze, turns profitable, turned profitable, to the moon, golden cross, bull market, strong buy,
      top pick, best performing, ath`,
  },
  // Good results, rising shares, positive opinions.
  {
    value: 1,
    words: `
      beat, comeback, time to buy, reasons to buy, must own, victory, oks, green light, greenlights, gets nod,
      wins nod, breaks through, fresh records, fresh record, roaring back, primed, well placed, cheer, cheers,
      cheered, soothe, soothes, soothed, impresses, impressed, beats, beating, surpass, surpasses, surpassed,
      surpassing, exceeds, exceeded, better than expected, better than forecast, better than feared,
      ahead of expectations, ahead of estimates, above expectations, above estimates, above consensus, above views,
      upbeat, stellar, outperform, outperforms, outperformed, outperforming, outperformance, outshines, outpaces,
      outpaced, upgrade, upgrades, upgraded, upside, undervalued, attractive, compelling, likes, favorite, favourite,
      conviction list, best idea, best ideas, profitable, profitably, in the black, into the black, turn positive,
      turned positive, turns positive, positive effect, positive impact, developed favourably, developed favorably, developed well, turnaround, pays off, paid off, cost savings,
      annual savings, strength, momentum, tailwind, tailwinds, catalyst, catalysts, boon, windfall, bonanza, relief,
      reprieve, truce, stimulus, rescue, bailout, bright, brighter, brightens`,
  },
  // Business success.
  {
    value: 1,
    words: `
      wins, won, winner, winners, awarded, award of, secures, secured, clinches, clinched, selected as the supplier,
      chosen as the supplier, selected as supplier, chosen as supplier, named the best, biggest ever, largest ever,
      best ever, in its history, in our history, in the company history, positive results, positive data,
      meets primary endpoint, met primary endpoint, met its primary endpoint, breakthrough therapy, fast track,
      cleared by, clearance, promising, encouraging, success, successful, successfully, succeed, succeeds, succeeded,
      achieved, achieves, milestone, thrive, thrives, thriving, flourish, flourishing, prevails, acquitted,
      settlement reached, sold out, strong demand, oversubscribed`,
  },
  // Words of traders.
  {
    value: 1,
    words: `
      bullish, bull, bulls, bull case, bull flag, turns bullish, buying opportunity, buy the dip, bought calls,
      buying calls, call buyers, call buying, calls active, squeeze, squeezed shorts, accumulation, accumulating,
      lead gains, leads gains, hodl, hodling, printing, tendies, lambo, diamond hands, in the green, green today,
      loaded, loading up, adding more, long and strong, going long`,
  },
  // Mildly positive.
  {
    value: 0.55,
    words: `
      optimistic, praise, praises, praised, applaud, applauds, constructive, welcomes, discovery, buy back, leads,
      leader, safe, hot, lifts ban, lifted ban, lift ban, lifts sanctions, lifted sanctions, lift sanctions,
      lifts restrictions, lifted restrictions, lift restrictions, lifting restrictions, optimism, optimistically,
      hopes, hopeful, confident, confidence, pleased, satisfied, proud, happy, great, nice, amazing, awesome, perfect,
      excited, exciting, good news, positively, stable outlook, benefit, benefits, benefited, benefiting, beneficial,
      profit from, gain from, advantage, advantages, leading position, resilient, resilience, on track, progress,
      easier, efficient, efficiently, synergies, synergy, well positioned, opportunity, win, approval, approved,
      approves, special dividend, dividend hike, dividend increase, buyback, buybacks, share buyback,
      repurchase program, share repurchase, insider buying, insider buys, raises stake, accretive, premium to, cheap,
      bargain, bargains, bottomed, bottoming, calls, buyers, bid up, gainers, gainer, piling into, snapping up,
      snapped up, crazy about, loading up on, warming up to, soft landing, dovish, trade deal, deal hopes, phase one,
      wide moat`,
  },
]
