/** What can rise and fall. 1: more is better for an investor, -1: less is better, 0: a move of it says nothing either way. */
export const SUBJECTS: readonly { value: 1 | -1 | 0; words: string }[] = [
  // The income statement, from the top down.
  {
    value: 1,
    words:
      'profit, profits, net profit, operating profit, pretax profit, gross profit, profitability, earnings, eps, earnings per share, income, net income, operating income, ebit, ebitda, ebita, sales, net sales, like for like, same store, comp, comps, comparable sales, revenue, revenues, revs, rev, turnover, net interest income, interest income, premiums, fee income, commission, royalties, operating result, operating results, net result, result, results, gross margin, margin, margins, bottom line, top line, cash flow, cash flows, return, returns, roe, roce, yield on cost, value, valuation, book value, nav, arpu, net asset value, operating margin, return on equity, return on investment, numbers, performance, productivity, efficiency, liquidity, solvency, equity ratio, surplus',
  },
  // Business: what is asked for, made, shipped and carried.
  {
    value: 1,
    words:
      'order, orders, order intake, order book, order backlog, backlog, demand, volume, volumes, deliveries, delivery volumes, shipments, bookings, traffic, passengers, passenger, load factor, passenger load factor, occupancy, occupancy rate, users, user, subscribers, subs, subscriber, customers, customer base, members, output, production, market share, capacity, utilisation, utilization, sales volume, circulation, visitors, audience, downloads, installs, loans, deposits, lending, assets under management, aum, activity, business, economy, gdp, employment, jobs, job, payrolls, nonfarm payrolls, hiring, wages, workforce, staff, personnel, headcount, confidence, sentiment, spending, consumption, exports, imports, manufacturing, pmi, retail sales, housing starts, homebuilding, construction, durable goods, competitiveness, market flights, operations, trade, appetite, adoption, opportunities, opportunity, prospects, momentum',
  },
  // Expectations and what is paid out.
  {
    value: 1,
    words:
      'guidance, outlook, outlk, forecast, forecasts, estimate, estimates, expectations, view, views, target, targets, price target, price targets, target price, pt, tp, rating, ratings, rtg, credit rating, dividend, dividends, payout, distribution, buyback, buybacks, share buyback, share repurchase, repurchase, capital return, optimism, hopes, hope',
  },
  // Prices of things that are held.
  {
    value: 1,
    words:
      'share, shares, stock, stocks, share price, stock price, share prices, stock prices, futures, index, dow, nasdaq, equities, market, markets, bitcoin, btc, eth, ether, ethereum, crypto, coin, token, price, prices, bonds, bond, market cap, market value, gold, oil, crude, copper, silver, selling price, selling prices, sterling, pound, dollar, euro, ruble, rupee, lira, wall street, gains, gain, rally, growth, rebound, recovery, momentum',
  },
  // What a company or a country would rather have less of.
  {
    value: -1,
    words:
      'fuel prices, fuel price, raw material prices, energy prices, commodity prices, input prices, food prices, material prices, raw material costs, decline, sell off, selloff, slump, slowdown, downturn, loss, losses, net loss, operating loss, pretax loss, cost, costs, expense, expenses, operating expenses, expenditure, cash burn, debt, debts, indebtedness, net debt, gearing, leverage, liabilities, unemployment, unemployment rate, jobless, jobless jobless rate, impairment, impairments, impairment losses, provision, provisions, loan losses, credit losses, write downs, writedowns, write offs, deficit, deficits, default, defaults, delinquencies, bad loans, npl, npls, shortfall, outflow, outflows, redemptions, delay, delays, fear, fears, concern, concerns, worry, worries, risk, risks, tension, tensions, uncertainty, uncertainties, pressure, pressures, headwind, headwinds, inflation, tariff, tariffs, taxes, tax, tax bill, short interest, short positions, shorts, churn, layoffs, lay offs, job cuts, redundancies, complaints, accidents, fraud, crime, penalties, fines, fine, restrictions, ban, sanctions, probe, probes, investigation, investigations, lawsuit, lawsuits, infections, new cases, coronavirus cases, deaths, death toll, pollution, emissions, threat, threats, volatility, vix, bankruptcies, foreclosures, overcapacity, oversupply, glut, downside, bleeding, damage, borrowing costs, burden, problems, woes, price war, recession',
  },
  // Moves of these are news of another kind.
  {
    value: 0,
    words:
      'inventories, inventory, oil output, crude output, output cut, output cuts, oil production, production cuts, opec, supply, stake, stakes, holding, holdings, stake to, ownership, share capital, number of shares, voting rights, votes, rate, rates, interest rate, interest rates, key rate, repo rate, base rate, policy rate, rate hike, rate hikes, rate cut, rate cuts, funds, fund, capital, funding, financing, round, series, credit facility, facility, bid, offer, takeover bid, awareness, limit, cap, age, minimum wage, curtain, flag, board, number of members, temperature, water, temperatures, security, transparency, quality, speed, selection, fees, investment, investments, capex, spend, drilling, treasury yields, yields, yield, bond yields, treasuries, per share, rank, ranking, ties, alarm, questions, issue, issues, bar, money, cash, poll, polls, tower, floor, floors, cooperation, ban lifted',
  },
]
