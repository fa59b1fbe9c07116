/** Returns articles of several paragraphs, whose headlines often say little about what the questions ask. */
export function readArticles(): { id: string; title: string; content: string }[] {
  return ARTICLES.split(/^#/m)
    .slice(1)
    .map((article) => {
      const [first = '', ...lines] = article.trim().split('\n')
      const [id = ''] = first.split(' ')
      return { id, title: first.slice(id.length + 1), content: lines.join('\n') }
    })
}

/** Returns questions with the ids of the articles that answer them. */
export function readQuestions(): { question: string; ids: string[] }[] {
  return QUESTIONS.map(([question, ids]) => ({ question, ids: ids.split(' ') }))
}

/** An article begins with `#`, its id and its title. */
const ARTICLES = `
#port Morning briefing: harbour talks drag on
Negotiators for dock workers and terminal operators on the northern coast met for a ninth day without an agreement. Both sides
said that wages were no longer the main point of dispute.

The union wants a limit on driverless cranes, which two of the terminals have ordered from a supplier in Finland. The operators
say that the machines unload a vessel in half the time and that nobody will lose a position before 2031.

Importers have begun to move containers by rail from the south. A furniture chain said that deliveries of sofas would arrive
three weeks late, and that it would charter aircraft for small goods before the holidays.

#crane Finnish engineer lifts outlook after record orders
Kalevatek raised its forecast for the year after its order book passed two billion euros for the first time. Shares in Helsinki
rose nine percent.

Most of the growth came from unmanned gantry cranes for container terminals in North America and Asia. The chief executive said
that customers could not find enough operators for the night shift.

The maker of lifts and hoists also buys back shares for eighty million euros. Its pension fund was fully financed at the end of
the quarter.

#exchange Trading venue pauses withdrawals
The operator of Lumacoin, a venue for digital coins in Singapore, told customers on Tuesday that it could not send out funds for
the time being. It spoke of maintenance.

By the evening the company had confirmed that intruders drained about 140 million dollars from a hot wallet. They had obtained
the credentials of an engineer through a fake job interview.

The thieves moved the tokens through a mixing service within two hours, according to a firm that follows transactions on the
chain. Customers will be made whole from the company's reserves, the operator said.

#bridge Developers ask for return of missing tokens
The team behind a bridge between two blockchains offered a reward of ten percent to whoever took tokens worth 62 million dollars
from its contract at the weekend.

A flaw in the code that checks signatures let the attacker approve a transfer to himself. An audit in March had named the
function, but as a minor matter.

The price of the token fell by a third. Several lenders stopped accepting it as collateral.

#custody Custodian wins licence in Frankfurt
Regulators allowed the German arm of a custodian to hold digital assets for pension funds and insurers. It is the fourth such
licence this year.

The firm keeps keys in vaults in a former bunker and insures them against theft up to 200 million euros. No customer has lost
coins since it began in 2017, it says.

Fees are four basis points a year. Two savings banks are among the first clients.

#drug Results day at a Danish group
Sales of the Danish maker of diabetes medicine grew by 21 percent, a little less than analysts had expected. Operating profit was
in line.

On the call, managers were asked about the pill form of the weight-loss treatment. A trial with 3,100 patients found a mean loss
of 13 percent after a year, but one patient in ten gave up because of nausea.

The group will spend four billion on a plant in North Carolina that fills injection pens. It asked wholesalers to stop rationing
the smallest dose in January.

#recall Pump maker withdraws devices
A maker of insulin pumps is taking 90,000 devices back after reports that batteries overheat while charging. Two people were
treated for burns.

Patients should keep using their pump and charge it only while awake, the company said. Replacements will be sent by the end of
March.

The recall costs about 45 million dollars. The regulator put it into its most serious class.

#vaccine Shot against malaria enters last stage
A vaccine that is cheap to produce will be tested on 12,000 children in four African countries. The trial takes two years.

Researchers found in a smaller study that three doses prevented 77 percent of cases in the first year. A fourth dose kept the
protection up.

A producer in Pune has agreed to make 200 million doses a year at less than three dollars each.

#bank Lender's quarter beats forecasts
Net interest income at the second-largest lender of the country rose for the sixth quarter. The bank raised its dividend by a
fifth.

Further down in the report, provisions for loans on offices more than doubled. Every third square metre that it finances in
the capital stands empty, and two towers have been handed back by their owners.

The chief financial officer said that shops and flats showed no such weakness. Shares closed four percent lower.

#tower Empty floors, lower price
A 38-storey tower in the business district was sold for 110 million, less than half of what its owner paid in 2016. The buyer is a
fund that turns workplaces into flats.

Since most tenants let staff work at home three days a week, a quarter of the desks in the district are not rented. Valuers expect
prices to fall for another year.

The city is thinking about tax relief for conversions. Owners say that pipes and windows make them too dear.

#mortgage More families fix their rates
Two of three new home loans are now fixed for ten years or more, a survey of lenders shows. A year ago it was one of three.

Borrowers fear that the central bank is not done. Brokers report that customers ask about costs of leaving early, which most
contracts limit to six months of interest.

House prices have hardly moved since spring. Fewer homes are for sale than at any time since the survey began.

#strike Night trains cancelled over Easter
Train drivers will stop work for 48 hours from Good Friday. The railway will run one in five trains over long distances.

The drivers ask for a week of 35 hours instead of 38 with the same pay. The railway offered a choice between fewer hours and more
money.

Employers' groups called it irresponsible. Bus lines have sold all seats, and rental cars cost three times the usual price.

#pay Shop staff agree on two-year deal
Cashiers and warehouse staff of a grocery chain get 4.8 percent more in June and three percent next year. Their union had asked
for seven.

The walkouts in March had closed sixty stores. The chain said that higher costs would be made up by self-service tills and not by
prices.

The deal covers 70,000 people. Members still have to vote on it.

#battery Cell plant delayed again
The start of a battery factory in the east of the country moves to 2028. It is the third delay in two years.

Equipment from Korea arrived late, the company said; people close to the project said that two carmakers have cut their orders
by half as buyers prefer hybrids.

The state paid 300 million in subsidies and can ask for them back if fewer than 2,000 people work there by the end of 2027. The
economy ministry said it was in talks.

#hybrid Carmaker extends life of petrol engines
The board of a large carmaker dropped its plan to sell only electric cars from 2030. New petrol engines will be developed until at
least 2035.

Sales of fully electric models fell eight percent in the half-year, while models with both engines grew by a third. Dealers had
complained about cars that stood on the lot for five months.

A charge of two billion for tools that are no longer needed will be booked in this quarter.

#lithium Brine and patience
The price of lithium has lost four fifths in two years. Mines in Australia have been mothballed, but the salt lakes of the high
desert still earn money.

Pumping brine into ponds and waiting for the sun costs half as much as crushing rock. A new method that filters the metal
directly would do without ponds, but uses much fresh water.

Villages near the largest lake have sued. They say that wells have dropped by two metres since the pumps were installed.

#copper Flooded shaft stops mine
Water broke into the deepest level of a copper mine in Zambia on Sunday. All 214 miners were brought up.

The mine yields about one percent of the world's copper. Pumping it dry may take until August, and the owner can no longer
promise deliveries to two smelters in China.

The metal reached its highest price in fourteen months. Traders said that stocks in warehouses covered less than a week of demand.

#oil Tankers take the long way
Two more shipping companies send their tankers around the Cape after a missile hit a vessel in the strait. The detour takes
twelve days.

Insurers ask for one percent of a ship's value for a single passage. Freight rates for a voyage from the Gulf to Rotterdam have
tripled since the start of the month.

Crude hardly moved, because refineries in Europe have enough in store and demand in Asia is weak.

#refinery Fire at coastal refinery
A fire in a unit that makes petrol was put out after six hours. Nobody was hurt.

The plant supplies every fourth filling station in the region. The operator expects to run at half capacity for five weeks.

Drivers paid nine cents a litre more by the weekend. The competition office said that it watched margins closely.

#wind Offshore auction finds no bidder
For the first time nobody offered to build wind turbines on the two sites that the government put up for sale. Bids were due on
Monday.

Developers say that turbines, cables and loans have become a third dearer in three years, while the state offers no guaranteed
price for the electricity. A Danish group had left two projects in September and written off four billion.

The ministry will change the terms and try again in a year. The target of 30 gigawatts by 2030 can hardly be met now.

#grid Heat pumps wait for cables
Every fifth application for a connection of a heat pump or a wall box waits longer than six months. Transformers are sold out
until 2027.

The grid operator plans to spend eleven billion until the end of the decade. It is raising two billion of new shares for it, and
the state bank will take a fifth.

Households pay for it with fees that rise by about forty a year.

#reactor Old reactor gets ten more years
Engineers found the pressure vessel of the country's oldest reactor in better shape than feared. The regulator allows it to run
until 2036.

Its owner will replace steam generators and the control room for 1.6 billion. A data centre next door buys most of the
power for twenty years.

Neighbours across the border object, because the plant takes cooling water from the river that they share.

#chip Equipment supplier warns about China
A maker of machines that print circuits expects sales to China to halve next year. Licences for its second-best model end in
January.

Chinese customers had brought orders forward and made up 47 percent of sales in the last quarter. Demand for the newest
machines, each of which costs 350 million, makes up for only part of it.

The stock had its worst day in five years. Suppliers of lenses and lasers fell with it.

#datacentre Search company doubles spending on servers
Capital spending will reach 75 billion this year, the finance chief told analysts. Half of it is for buildings and half for
accelerators.

Revenue from rented computing grew by 35 percent and would have grown more if capacity had been there. Advertising was flat in
Europe.

Cash flow after investment was the lowest since 2019. Investors asked when the money would come back; she named no date.

#antitrust Judges side with app developers
The highest court refused to hear the phone maker's appeal. Developers may now tell users about cheaper ways to pay outside the
app store.

The company keeps a commission of 27 percent on such payments, which the plaintiff calls contempt. A hearing is set for May.

Music and dating services expect to save hundreds of millions a year. In Europe a similar rule took effect in March.

#fine Regulator punishes ad broker
The privacy watchdog imposed a penalty of 290 million euros on a company that auctions advertising space. It passed on the
location of telephones without consent.

The data showed visits to clinics and churches. It had been sold to at least forty buyers, among them two brokers outside of
Europe.

The company will appeal. It deleted the records in autumn.

#fraud Auditor resigns at payments group
The auditor of a payments group left two weeks before the annual report was due. It could not confirm balances of 230 million in
accounts of a partner in Manila.

Short sellers had written in spring that many merchants existed only on paper. The founder, who called them criminals, could not
be reached on Thursday.

Bonds due in 2027 trade at 31 cents. Card networks are looking for another processor for its shops.

#ceo Change at the top of airline
The chief executive of the national airline leaves after four years. His deputy, who ran the cargo division, takes over in June.

He had promised to sell the catering unit and to order forty long-haul jets. The unit was sold; the jets come two years late, because
engines have to be inspected for cracks in powder metal parts.

The government, which owns a fifth, wants the next chief to merge with a Gulf carrier.

#engine Grounded jets cost low-fare carrier
Thirty-one of the 180 aircraft of a low-fare carrier stand on the ground while their turbines are checked for tiny fractures. The
wait at the workshop is 300 days.

The engine maker pays compensation, which covers about two thirds. The carrier will return leased planes later than planned and
hires 200 mechanics.

Fares for the summer are seven percent up on last year, bookings are the same.

#merger Food groups in talks
A maker of cereals and a maker of chocolate bars confirmed that they are talking about a combination. It would be worth 36 billion
with debt.

Both lose customers to cheaper brands of supermarkets and to appetite-suppressing injections, which have cut sales of snacks by two
percent among users, a consultancy found.

Regulators would probably ask for the sale of biscuits in Britain. The family trust that owns a fifth of the cereal maker has not
decided.

#cocoa Beans turn to gold
Cocoa costs three times as much as two years ago. Heavy rain and a virus that swells the shoots of trees have ruined harvests in
Ghana and Ivory Coast.

Smugglers carry beans over the border because the state pays farmers a third of the world price. Grinders in Europe have stopped
two lines.

Chocolate makers make bars smaller and fill them with nuts. Easter eggs cost a fifth more.

#drought Low river, slow barges
At the gauge of Kaub the Rhine has fallen to 58 centimetres. Barges carry a third of their load.

A chemicals group at Ludwigshafen has chartered flat vessels that it ordered after the last drought. A power station upstream
receives coal by rail.

Economists say that a month of low water takes four tenths of a percent off industrial production. No rain is forecast before
November.

#budget Coalition agrees on savings
After a night of talks the three parties agreed on a budget for next year. New debt stays below the limit of the constitution.

Subsidies for diesel of farmers end in steps. Air passengers pay a higher tax, and the programme for heating in old houses loses a
fifth of its money.

The opposition spoke of a broken promise. Farmers plan to block roads with tractors on Monday.

#inflation Prices rise less than expected
Consumer prices were 2.4 percent higher in October than a year before, the statistics office said. Economists had expected 2.7.

Energy was cheaper; restaurants and insurance were not. Without food and energy the rate was 2.9 percent, the lowest in three years.

Traders now see a cut by the central bank in December as nearly certain. The two-year yield fell eleven basis points.

#peso Country lets its currency float
The government gave up the band in which its peso had moved and lets the market set the rate. It lost 14 percent by noon.

The fund in Washington had made it a condition for the next payment of five billion. Reserves covered less than two months of
imports.

Savers queued at exchange offices. The president spoke of a day of freedom; unions called for a general strike.

#bond Town fails to pay
A town of 90,000 people missed a payment on bonds with which it had built a stadium. It is the largest default of a municipality in
a decade.

The club that was to rent the stadium went down two leagues and pays half. A levy on hotel rooms brought in a third of what the
prospectus promised.

Insurers of the bonds will pay the coupon for now. The state sent a commissioner.
`

const QUESTIONS: readonly (readonly [question: string, ids: string])[] = [
  ['hackers steal cryptocurrency', 'exchange bridge'],
  ['crypto exchange hacked', 'exchange bridge'],
  ['dispute over automation of container terminals', 'port crane'],
  ['side effects of obesity pills', 'drug'],
  ['obesity drugs hurt snack sales', 'merger drug'],
  ['vacant office buildings hurt banks', 'bank tower'],
  ['commercial property values falling', 'tower bank'],
  ['railway workers walk out', 'strike'],
  ['union wage agreement in retail', 'pay'],
  ['slowing demand for electric vehicles', 'hybrid battery'],
  ['government subsidies may have to be repaid', 'battery'],
  ['environmental damage from mining', 'lithium'],
  ['copper supply disruption', 'copper'],
  ['mine accident with no casualties', 'copper'],
  ['ships avoid the Red Sea because of attacks', 'oil'],
  ['petrol gets more expensive at filling stations', 'refinery'],
  ['renewable energy projects abandoned because of costs', 'wind'],
  ['bottlenecks in the electricity network', 'grid'],
  ['nuclear power for data centres', 'reactor'],
  ['export restrictions on semiconductor equipment', 'chip'],
  ['big tech capital expenditure on artificial intelligence', 'datacentre'],
  ['app store commission ruling', 'antitrust'],
  ['privacy penalty for selling location data', 'fine'],
  ['accounting scandal missing money', 'fraud'],
  ['engine cracks ground aircraft', 'engine ceo'],
  ['who becomes the new head of the airline', 'ceo'],
  ['chocolate becomes more expensive', 'cocoa'],
  ['low water levels disrupt shipping', 'drought'],
  ['farmers protest against end of diesel tax breaks', 'budget'],
  ['will the central bank cut interest rates', 'inflation'],
  ['core inflation', 'inflation'],
  ['currency devaluation demanded by the IMF', 'peso'],
  ['municipal bond default', 'bond'],
  ['medical device recall battery fire risk', 'recall'],
  ['cheap malaria vaccine trial', 'vaccine'],
  ['homeowners prefer long fixed interest', 'mortgage'],
  ['insuring digital assets against theft', 'custody'],
  ['company issues new shares to pay for investment', 'grid'],
  ['shipping costs rise', 'oil port drought'],
  ['delays caused by late equipment from suppliers', 'battery ceo grid'],
  ['lawsuits over water', 'lithium reactor'],
  ['consumers switch to private label brands', 'merger'],
]
