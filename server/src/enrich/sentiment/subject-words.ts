/** Weaker than other subjects unless a percentage follows. */
const WEAK = 0.55

/**
 * Subjects that rise and fall. Above 0, more is better for an investor; below 0, less is better; at 0, movements say
 * nothing.
 */
export const SUBJECT_WORDS: readonly { value: number; words: string }[] = [
  // The income statement from top to bottom, and ratios.
  {
    value: 1,
    words: `
      sales, net sales, like for like, same store, comp, comps, comparable sales, revenue, revenues, revs, rev,
      turnover, premiums, fee income, commission, royalties, net interest income, interest income, rental income,
      income, net income, operating income, profit, profits, net profit, operating profit, pretax profit,
      gross profit, profitability, earnings, eps, earnings per share, ebit, ebitda, ebita, operating result,
      operating results, net result, result, results, numbers, margin, margins, gross margin, operating margin,
      bottom line, top line, cash flow, cash flows, return, returns, return on equity, return on investment, roe,
      roce, book value, asset value, net asset value, nav, valuation, arpu, liquidity, solvency, equity ratio, surplus`,
  },
  // Orders, production, shipments and customers.
  {
    value: 1,
    words: `
      order, orders, order intake, order book, order books, order backlog, backlog, demand, volume, volumes,
      sales volume, sales volumes, deliveries, shipments, bookings, traffic, passengers, passenger, load factor,
      passenger load factor, occupancy, occupancy rate, subscribers, subs, subscriber, subscriber base, customer base,
      output, production, market share, circulation, visitors, audience, loans, lending, deposits,
      assets under management, aum, market position, position, competitiveness, prospects, momentum, adoption,
      appetite, flights`,
  },
  // The economy.
  {
    value: 1,
    words: `
      economy, gdp, employment, jobs, job, payrolls, nonfarm payrolls, hiring, wages, confidence, sentiment, spending,
      consumption, exports, imports, manufacturing, pmi, retail sales, housing starts, homebuilding, construction,
      durable goods, trade, growth, recovery, rebound`,
  },
  // Also used of products and plans, where nothing has happened yet.
  {
    value: WEAK,
    words: `
      business, operations, activity, efficiency, productivity, performance, value, customers, users, user, members,
      staff, personnel, headcount, workforce, capacity, utilisation, utilization, opportunities, opportunity`,
  },
  // Expectations and payouts.
  {
    value: 1,
    words: `
      guidance, outlook, outlk, forecast, forecasts, estimate, estimates, expectations, view, views, target, targets,
      price target, price targets, target price, pt, tp, rating, ratings, rtg, credit rating, recommendation,
      dividend, dividends, payout, distribution, buyback, buybacks, share buyback, share repurchase, repurchase,
      capital return, optimism, hopes, hope`,
  },
  // Prices of assets.
  {
    value: 1,
    words: `
      share, shares, stock, stocks, share price, share prices, stock price, stock prices, futures, index, dow, nasdaq,
      equities, market, markets, wall street, market cap, market value, bitcoin, btc, eth, ether, ethereum, crypto,
      coin, token, price, prices, selling price, selling prices, bonds, bond, gold, oil, crude, copper, silver,
      sterling, pound, dollar, euro, ruble, rupee, lira, gains, gain, rally`,
  },
  // Costs, debts and problems of a company.
  {
    value: -1,
    words: `
      loss, losses, net loss, operating loss, pretax loss, cost, costs, raw material costs, expense, expenses,
      operating expenses, expenditure, fuel price, fuel prices, raw material prices, material prices, energy prices,
      commodity prices, input prices, food prices, cash burn, debt, debts, indebtedness, net debt, gearing, leverage,
      liabilities, borrowing costs, impairment, impairments, impairment losses, provision, provisions, loan losses,
      credit losses, write downs, writedowns, write offs, default, defaults, delinquencies, bad loans, npl, npls,
      shortfall, outflow, outflows, redemptions, churn, delay, delays, complaints, layoffs, lay offs, job cuts,
      redundancies, overcapacity, oversupply, glut, burden, problems, woes, damage, bleeding, price war, tax, taxes,
      tax bill, penalties, fines, fine, short interest, short positions, shorts, downside`,
  },
  // Problems of markets and countries.
  {
    value: -1,
    words: `
      unemployment, unemployment rate, jobless, jobless claims, jobless rate, inflation, deficit, deficits, tariff,
      tariffs, recession, bankruptcies, foreclosures, fear, fears, concern, concerns, worry, worries, risk, risks,
      tension, tensions, uncertainty, uncertainties, pressure, pressures, headwind, headwinds, threat, threats,
      volatility, vix, restrictions, ban, sanctions, probe, probes, investigation, investigations, lawsuit, lawsuits,
      fraud, crime, accidents, infections, new cases, coronavirus cases, deaths, death toll, pollution, emissions,
      decline, sell off, selloff, slump, slowdown, downturn`,
  },
  // Movements of these are neither good nor bad.
  {
    value: 0,
    words: `
      stake, stakes, holding, holdings, shareholding, shareholdings, ownership, share capital, number of shares,
      voting rights, votes, rate, rates, interest rate, interest rates, key rate, repo rate, base rate, policy rate,
      rate hike, rate hikes, rate cut, rate cuts, yield, yields, treasury yields, bond yields, treasuries, funds,
      fund, capital, funding, financing, round, series, credit facility, facility, bid, offer, takeover bid,
      conversion price, awareness, limit, cap, age, minimum wage, curtain, flag, board, temperature, temperatures,
      water, security, transparency, quality, speed, selection, fees, investment, investments, capex, spend, drilling,
      per share, rank, ranking, ties, alarm, questions, issue, issues, bar, money, cash, poll, polls, tower, floor,
      floors, cooperation, inventories, inventory, supply, oil output, crude output, output cut, output cuts,
      oil production, production cuts, opec`,
  },
]
