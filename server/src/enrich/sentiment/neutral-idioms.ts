/** Idioms that hide the words in them, which would otherwise count as evidence. */
export const NEUTRAL_IDIOMS: readonly string[] = [
  // "up" as part of a phrasal verb
  `
    set up, sets up, setting up, start up, startup, startups, start ups, sum up, follow up, back up, make up,
    makes up, made up, line up, lined up, wrap up, come up, comes up, coming up, came up, open up, opens up, sign up,
    signed up, team up, teams up, teamed up, up to, up for, up next, clean up, cleaning up, warm up, warming up,
    show up, shows up, showed up, look up, end up, ends up, ended up, hold up, grow up, grew up, break up, speed up,
    catch up, round up, build up, staffing up, stepping up, what is up, heads up, wake up, wakes up, buy up,
    bought up, buying up, keep up, mix up, rising up, read up, gear up, gears up, gearing up, beef up, beefs up,
    shake up, shakes up, dress up, stay up, staying up, up close, wind up, take up, takes up, took up, taken up,
    flare up, sizing up, walks up, pop up, shore up, shoring up, up and down`,
  // "down" as part of a phrasal verb
  `
    step down, steps down, stepped down, stepping down, sit down, break down, breaking down, countdown, count down,
    come down to, narrow down, double down, doubles down, doubling down, doubled down, down payment, upside down,
    down the road, trickle down, drill down, pass down, marked down, down under, down to earth, hand down, hands down,
    lock down, calm down, take down, takes down, slowing down, turning down, down to the`,
  // Words of movement in a name or an idiom
  `
    never been, have never, has never, fall season, last fall, this fall, cut off, clear cut, below the radar,
    growth fund, growth company, growth companies, growth stocks, growth stock, growth strategy, growth capital,
    growth equity, growth investors, record date, for the record, on record, track record, criminal record,
    broken record, raise awareness, raise capital, raises capital, raised capital, raise funds, raises funds,
    raised funds, raising funds, raise money, raises questions, raise questions, fund raising, rallies the troops,
    advance payment, in advance, advanced technology, most advanced, advanced research, advanced micro devices,
    advanced materials, gain access, gain insight, capital gains, gains tax, drop off, drop box, declined to,
    declines to, decline to, slide deck, slide show, presentation slides, earnings slides, dive into, dives into,
    deep dive, dive in, deeper dive, jump start, surge pricing, think tank, fish tank, storage tank, water tank,
    shed light, sheds light, crash course, crash test, plane crash, plane crashes, car crash, helicopter crash,
    crash site, crash victims, fatal crash, deadly crash, boeing crash, max crash, max crashes, narrow body,
    soft drink, soft drinks, lower house, lower court, lower level, lower limit, low cost, higher education,
    high tech, high end, high yield, high speed, high street, high court, high quality, high school, high level,
    high profile, high net worth, solid state, solid waste, strong dollar, double digit, double digits,
    cooling system, cooling systems, quantitative easing, lift off, adds to board, added to, add to, adds to, add a,
    adds a, added a, in addition, limit order, speed limit, time limit, limited company, public limited,
    private limited, co limited, limited liability, limited partnership, limited partner, limited partners,
    limited edition, limited time, supports its, customer support, technical support, support services, support group,
    support team, in support of, restore order, resumes coverage, firm, firms`,
  // "end" as a time
  `
    end of, at the end, by the end, the end, in the end, week end, year end, month end, quarter end, end user,
    end users, end customers, end to end, dead end, front end, back end, period ending, quarter ended, year ended,
    period ended, ending december, ended december, end market, end markets`,
  // Good and bad words in a name or an idiom
  `
    senior secured, best buy, best practices, best way, best ways, best places, best of, best things, your best,
    good friday, good morning, good luck, good for, good time, good idea, good job, great job, better place,
    better life, better understand, better world, great britain, great depression, great recession, great wall,
    great place to work, nice guy, love story, positive thinking, positive for coronavirus, tests positive,
    tested positive, test positive, negative rates, negative interest rates, negative interest rate, negative rate,
    negative yields, negative yielding, success story, success stories, key to success, chance to win, enter to win,
    win tickets, to win, win win, wins award, win award, award winning, award winner, awards, red bull, chicago bulls,
    pit bull, teddy bear, polar bear, bear in mind, bear stearns, do not miss, not to miss, you missed,
    you may have missed, in case you missed it, can not miss, miss america, missing, hit the market, hits the market,
    hits shelves, hit shelves, hits theaters, hits the road, greatest hits, hit show, hit series, fine tune,
    fine tuning, is fine, fine wine, fine art, fine dining, fire sale, fires up, fire up, strike price, strike a deal,
    strikes a deal, strikes deal, strike deal, climate strike, death penalty, opioid crisis, climate crisis,
    financial crisis, during the crisis, crisis management, blood pressure, high pressure, no problem,
    job opportunities, career opportunities, equal opportunity, investment opportunities, opportunity zone,
    opportunity zones`,
  // Long and short as measures
  `
    short term, short list, short film, in short, short video, short notice, short stories, short story, short run,
    long short, long short fund, long term, longer term, as long as, no longer than, how long, long time,
    long standing, long haul, long run, before long, a long, long lasting`,
  // Subjects of movements in a name or an idiom
  `
    per share, a shares, b shares, class a shares, common shares, treasury shares, preferred shares, share issue,
    rights issue, share of the, share in the, share your, share this, share with, share a, shares his, shares her,
    shares their, shares its, stock exchange, stock exchanges, stock to buy, stocks to buy, stocks to watch,
    stock split, stock options, stock offering, common stock, preferred stock, in stock, public offering,
    private placement, first order, in order to, in order, court order, executive order, orders to, pre order,
    order of, judge orders, orders the, mail order, price of, price range, prices offering, prices its, priced at,
    prices public offering, prices senior notes, prices ipo, result of, as a result, results in, result in, resulting,
    test results, search results, election results, voting results, results of operations, financial results,
    quarterly results, report results, reports results, publish results, results on, reports earnings, return to work,
    return to office, return to the, return policy, tax return, tax returns, in return, view of, point of view,
    in view of, views on, value of the, value added, fair value, contract value, order value, total value,
    transaction value, face value, brand value, business day, business travel, business model, line of business,
    business area, business unit, business operations, business school, small business, business development,
    user experience, user friendly, user interface, customer experience, customer service, trade show, trade secrets,
    trade fair, trade union, world trade, free trade, trade talks, trade war, trade group, capacity of, production of,
    production facility, production line, production plant, production company, production unit, operations in,
    operations of, jobs report, steve jobs, job fair, job title, job interview, members of, board members,
    staff members, member states, loan agreement, student loans, gold medal, gold standard, oil and gas, oil company,
    oil field, essential oil, olive oil, palm oil, market leader, market leading, market research, growth markets,
    income fund, high income, dividend fund, value fund, target date, target audience, target corporation,
    target group, target company, call transcript, earnings call, conference call, calls for, calls on, call for,
    calls it, calls to, calls out, call center, phone calls, video calls, margin calls, position of, in a position to,
    debt offering, debt financing, debt fund, issue debt, debt free, private debt, tax free, tax authorities,
    tax administration, income tax, tax reform, tax plan, before tax, before taxes, after tax, after taxes,
    before interest and tax, before interest and taxes, risk management, risk factors, risk adjusted, risk free,
    risk assessment, at your own risk, cost effective, cost effectively, cost efficient, cost efficiency,
    cost of living, at no cost, stop loss, stop losses, profit and loss, profit or loss, loss of life, hearing loss,
    weight loss, loss adjuster, charged, free of charge, in charge`,
  // Approval that any company needs
  `
    approved by the board, approved by shareholders, approved by, approved the, board approved, shareholders approved,
    shareholders approve, shareholder approval, stockholders approve, subject to approval, subject to the approval,
    approval of the board, approval of the competition, approval from the, regulatory approval, requires approval`,
  // The virus as a subject of research
  `
    coronavirus vaccine, coronavirus relief, coronavirus test, coronavirus testing, coronavirus task force,
    coronavirus response, coronavirus aid, coronavirus drug, coronavirus treatment, coronavirus briefing,
    virus vaccine, virus test, computer virus`,
  // Crowds and cars that rally
  `
    holds rally, hold rally, holds a rally, hold a rally, held a rally, holding a rally, rally behind, rallies behind,
    rallied behind, rally against, rallies against, rallied against, campaign rally, election rally, protest rally,
    political rally, mass rally, rally car, rally cars, rally driver, rally in support, rallied in support,
    thousands rally, supporters rally, protesters rally, workers rally, farmers rally, students rally, rally around,
    rallies around, attends rally, at a rally, at rally, rally speech`,
  // "as" that begins no clause
  `
    as well as, as of, such as, as expected, as a, as an, as the, as its, as part of, as soon as, as much as,
    as many as, known as, so as, as to, same as, as usual, as planned, as follows, as for, as buy, as outperform,
    as overweight, as hold, as neutral, as sell, as underperform, as underweight, as high as, as low as, as yet`,
]
