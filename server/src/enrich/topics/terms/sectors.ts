import type { TopicTerms } from '../terms.ts'
import { NATIONAL } from './shared.ts'

/** Words for companies: "drug" alone is not enough, "drug makers" names the industry. */
const MAKER =
  'maker|producer|manufacturer|company|companies|firm|group|operator|vendor|supplier|startup|giant|industry|sector|stock|stocks|brand|chain'

export const sectorTerms: TopicTerms[] = [
  {
    slug: 'sectors',
    fallback: true,
    sure: 'sector rotation, defensive sector, cyclical stock',
    likely: 'sector, industry, cyclicals, industry survey',
    hint: 'company, demand, cost, order',
  },
  // Technology
  {
    slug: 'technology',
    fallback: true,
    sure: `
      technology|tech sector|stock|company|companies|=stocks|giant|selloff|industry|group|firm|rally|share,
      big tech, AI boom|bubble|spending|race|push|startup|investment|hype|capex|frenzy|infrastructure|assistant|bet,
      artificial intelligence, quantum computing, magnificent seven, megacap, =robotics, generative AI, openai,
      anthropic, bet ** on AI, machine learning
    `,
    likely: 'AI, tech, technology, data center|centre, chatbot',
    hint: 'cloud, computing, digital, startup, model',
    not: 'AI act|rule|law|bill|regulation, financial technology, AI safety bill',
    assets: 'sector:Technology',
  },
  {
    slug: 'semiconductors',
    sure: `
      chipmaker, semiconductor,
      chip ${MAKER}|price|export|demand|design|equipment|order|war|curb|ban|shortage|plant|act|sale,
      memory|AI|logic|computer|silicon|advanced chip, =chips act, DRAM, NAND, wafer, foundry, GPU, lithography,
      microchip, processor ${MAKER}, HBM, chip making|making|designer|gear|tool
    `,
    likely: '=chips, chip, processor, silicon, fab',
    hint: 'nvidia, intel, tsmc, AI, memory, supply',
    not: `
      blue chip, potato|chocolate|poker|corn|tortilla|wood chip|=chips, fish and chips, bargaining chip,
      chip in|away|on, foundry worker statue
    `,
    assets: 'industry:Semiconductors',
  },
  {
    slug: 'software',
    sure: `
      software, SaaS, cloud computing|software|provider|service|business|revenue|arm|unit, enterprise software|app,
      app developer, ERP, operating system, open source, CRM ${MAKER}
    `,
    likely: 'cloud, app, subscription',
    hint: 'enterprise, AI, user, license, tool',
    not: `
      software update|glitch|upgrade|bug|flaw|engineer, malicious software, game developer, property|real developer,
      cloud over|on|of, under a cloud, legal cloud, software engineer
    `,
    assets: 'industry:Software',
  },
  {
    slug: 'consumer-electronics',
    sure: `
      smartphone, iphone, ipad, laptop, consumer electronics, PC market|maker|shipment|sales|=shipments|=sales,
      personal computer, tablet ${MAKER}|shipment|sale, handset, wearable, smartwatch, TV maker|shipment|set,
      foldable, macbook, airpods, galaxy phone, headset, home appliance, electronics ${MAKER}, smart speaker, gadget
    `,
    likely: 'phone, tablet, PC, electronics, gadget',
    hint: 'device, shipment, IDC, apple, samsung, camera',
    not: 'phone call|number|hacking|scam, mobile phone operator, by phone, phone company',
    assets: 'industry:Consumer electronics',
  },
  {
    slug: 'it-services',
    sure: `
      IT services|spending|outsourcing|consulting|budget|service, outsourcing, outsourcer,
      tech|technology consulting|services|consultancy|outsourcing, server maker|sales|demand, system integrator,
      networking gear|equipment, data center|centre equipment|server, managed services, AI server
    `,
    likely: 'IT, =consulting, server',
    hint: 'outsource, client, contract, technology, digital',
    not: 'web server, IT =happens|is|was|can, restaurant server',
    assets: 'industry:IT services',
  },
  {
    slug: 'cybersecurity',
    sure: `
      cybersecurity, cyber security|defense|defence|firm|threat|insurance|crime|risk, infosec, firewall ${MAKER},
      antivirus, zero day, cybercrime, cyber resilience, security software, identity security, endpoint security,
      network security, cyberattack, cyber attack, ransomware
    `,
    likely: 'cyber, hacker, malware, phishing',
    hint: 'security, breach, attack, threat',
    assets: 'industry:Cybersecurity',
  },
  // Communication services
  {
    slug: 'communication-services',
    fallback: true,
    sure: 'communication services',
    likely: '=communications, broadcaster, telecom',
    hint: 'media, network',
    assets: 'sector:Communication services',
  },
  {
    slug: 'internet-platforms',
    sure: `
      twitter ** user|tweet|reply|replies|account|post|ban|platform|ad|feature, social media|network|networking,
      internet platform|company|companies|giant|firm, online platform|marketplace|advertising|ads,
      e commerce|ecommerce, search engine|advertising, digital advertising|ads, ad tech, facebook, instagram,
      tiktok, whatsapp, snapchat, youtube ad|creator, app store, reddit, pinterest, linkedin, short video,
      influencer, food delivery app|platform, online retail|retailer|shopping|travel agent, ride hailing
    `,
    likely: 'twitter, platform, online, search, advertiser, internet',
    hint: 'user, content, ad, advertising, app, post, moderation',
    not: `
      via twitter, says on twitter, to|on|via|from twitter, search for|warrant|and, job search, search committee,
      trading platform, oil platform, follow us on
    `,
    assets: 'industry:Internet platforms',
  },
  {
    slug: 'telecoms',
    sure: `
      telecom, telecoms, telecommunications, telco, mobile operator|carrier|network|provider,
      wireless carrier|operator|service|network|subscriber, 5G, 6G, broadband, spectrum auction,
      fiber|fibre optic|broadband|network, phone carrier|operator|company, satellite internet|broadband,
      cable operator|provider, postpaid, tower operator
    `,
    likely: 'wireless, spectrum, roaming, mobile, carrier, telecom',
    hint: 'network, subscriber, auction, operator, customer',
    not: 'air carrier, aircraft carrier, wireless charger|headphone|earbud, autism spectrum, mobile home|game|app',
    assets: 'industry:Telecoms',
  },
  {
    slug: 'media-and-streaming',
    sure: `
      theatrical release, movie ** release, film ** release, streaming rival,
      streaming service|war|wars|subscriber|giant|platform|rights|business, video|music streaming, hollywood,
      box office, film|movie studio|theater|theatre|maker|industry, broadcaster, TV network|ratings,
      pay tv|television, cable tv|television|network, newspaper|publishing ${MAKER}, netflix, hulu,
      ad supported tier, entertainment ${MAKER}, sports rights, record label, music label|industry,
      media ${MAKER}|mogul|rights, cinema chain|operator, imported films
    `,
    likely: 'movie, publisher, newspaper, broadcast, =streaming, broadcaster, film, television, studio, media',
    hint: 'subscriber, content, show, viewer, movie, audience, advertising',
    not: `
      social media, media report|outlet|said|event|day|briefing|access, film festival, live streaming video,
      state media, streaming data
    `,
    assets: 'industry:Media and streaming',
  },
  {
    slug: 'video-games',
    sure: `
      video game|gaming, videogame, game publisher|developer|studio|maker|console|designer|sales,
      console ${MAKER}|sale|launch|maker, esports, e sports, playstation, xbox, nintendo switch, mobile game|gaming,
      gaming console|industry|studio|company|revenue|market|giant, grand theft auto, call of duty, fortnite, gamer,
      hit console
    `,
    likely: '=gaming, console, gamer, game',
    hint: 'title, player, studio, release, publisher',
    not: `
      casino|gambling gaming, gaming commission|revenue macau, game changer|plan|day|winner|show|of,
      end|ball|big|board game, console passengers, macau gaming
    `,
    assets: 'industry:Video games',
  },
  // Health care
  {
    slug: 'health-care',
    fallback: true,
    sure: `
      health care ${MAKER}|cost|system|spending|services|provider, healthcare, =hospital operator|chain|group,
      medicare, medicaid, pandemic, coronavirus, covid, public health, nursing home operator, pharmacy chain
    `,
    likely: 'healthcare, =hospital, health, outbreak, virus, vaccine',
    hint: 'patient, doctor, medical, treatment',
    not: 'financial health, health of the economy|market',
    assets: 'sector:Health care',
  },
  {
    slug: 'pharmaceuticals',
    sure: `
      drugmaker,
      drug maker|makers|industry|price|prices|pricing|company|companies|giant|developer|firm|shortage|store,
      pharmaceutical, pharma, generic drug|maker|drugs,
      obesity|loss|diabetes|cancer|blockbuster|prescription|cholesterol|alzheimer drug|pill|medicine,
      heart|coronavirus|arthritis|asthma|generic|cholesterol drug, shortage of ** drug, drug shortage,
      blockbuster ** drug, GLP 1, vaccine maker, insulin price|maker, blood thinner, opioid ${MAKER},
      medicine price, ozempic|wegovy|mounjaro|zepbound|humira|keytruda
    `,
    likely: 'drug, medicine, vaccine, generic, pill',
    hint: 'price, patent, medicare, treatment, approval, pipeline',
    not: 'war on drugs, drug abuse|overdose|trafficking|trafficker|test, illegal drug',
    assets: 'industry:Pharmaceuticals',
  },
  {
    slug: 'biotechnology',
    sure: `
      biotech, biotechnology, gene therapy|editing, crispr, biopharma, biopharmaceutical, biosciences, cell therapy,
      mRNA, car t, genomics, antibody drug|therapy, monoclonal, stem cell ${MAKER}, immunotherapy, biosimilar
    `,
    likely: 'therapeutics, antibody, genetic, RNA',
    hint: 'trial, startup, drug, disease, cash',
    assets: 'industry:Biotechnology',
  },
  {
    slug: 'medical-devices',
    sure: `
      medical device|equipment|technology|robot|imaging, medtech, pacemaker, insulin pump, surgical robot, stent,
      heart valve, implant ${MAKER}, glucose monitor, MRI ${MAKER}, ventilator, diagnostics ${MAKER},
      hip|knee replacement|implant, contact lens maker, catheter, life science tools, defibrillator, hearing aid
    `,
    likely: 'implant, diagnostics, surgical, device',
    hint: '=hospital, patient, surgery, FDA, medical',
    not: 'explosive|mobile device, smart device',
    assets: 'industry:Medical devices',
  },
  {
    slug: 'health-insurance',
    sure: `
      health insurer|insurance|plan|insurers, medicare advantage, managed care, obamacare, affordable care act,
      ACA ** subsidy|enrollment|premium, pharmacy benefit manager, PBM, medicaid ** insurer, medical cost ratio,
      insurance premium ** health
    `,
    likely: '=insurer, =insurers, medicare, premium, medicaid',
    hint: 'health, enrollment, plan, coverage, member, medical cost',
    assets: 'industry:Health insurance',
  },
  // Financials
  {
    slug: 'financials',
    fallback: true,
    sure: 'financial =stocks|sector|services|firm|firms|shares, =financials',
    likely: 'financial, fintech, lending',
    hint: 'bank, loan, credit, capital',
    not: 'financial results|report|statement|year|outlook|crisis|officer|data|times|target|performance|condition',
    assets: 'sector:Financials',
  },
  {
    slug: 'banks',
    sure: `
      =banks, lender,
      ${NATIONAL}|regional|big|investment|retail|private|community|local|largest|major|biggest|failed|state|challenger|digital|US|UK|EU bank,
      bank ${MAKER}|earnings|profit|loan|deposit|lending|run|failure|merger|bailout|branch|shares|chief|rescue|ceo|boss|results,
      bad|nonperforming|soured loan, banking ${MAKER}|crisis|giant|system|turmoil|unit|app|license|licence,
      net interest income|margin, loan loss|book|growth|demand, wall street bank, mortgage lender,
      trading desk ** profit, bank and insurer, deposit flight, credit card loan|delinquency
    `,
    likely: 'bank, =banking, loan, deposit, banker, lending',
    hint: 'credit, capital, branch, interest income, default, financial, laundering, trader, regulator',
    not: `
      student|college|no loan, central bank|=banks, bank of england|japan|canada|china|korea|russia|israel|mexico,
      world|reserve|development|national|people bank, bank =rate|rate, european central,
      power|food|river|west|blood bank|=banks, investment bank say|says|cuts|raises|analyst,
      deutsche bank cut|upgrade|downgrade|raise, last resort, bank account|note,
      private|short|alternative|hard money lender, capital rule ** bank, banks buy
    `,
    assets: 'industry:Banks',
  },
  {
    slug: 'insurance',
    sure: `
      insurance ${MAKER}|premium|claim|market|broker|rate|losses|payout|cost|policy|fund|profit, =insurer,
      =insurers, reinsurance, reinsurer, underwriter|underwriting ** insurance|loss|profit,
      life|auto|car|home|property|flood|crop insurance|insurer, lloyd of london, catastrophe bond,
      insured loss|losses, annuity, combined ratio, policyholder
    `,
    likely: 'insurance, underwriting, premium, actuary, catastrophe',
    hint: 'claim, hurricane, policy, loss, wildfire',
    not: `
      unemployment|deposit|health|social|national|medical insurance|insurer, insurers withdrew cover,
      health insurers, insurance against, premium price|product|brand
    `,
    assets: 'industry:Insurance',
  },
  {
    slug: 'payments',
    sure: `
      card network|networks|processor|issuer|payment|fee,
      payment processor|firm|company|companies|network|giant|app|system|service|provider|processing|business|fintech|rail|platform,
      digital|mobile|instant|cross|contactless|online|electronic payment, swipe fee, interchange fee,
      buy now pay later|=now, BNPL, credit card ${MAKER}|spending|fee|issuer|network|volume, remittance,
      money transfer, paytech, debit card, digital wallet, point of sale, mobile wallet
    `,
    likely: '=payments, merchant, checkout, card, transaction',
    hint: 'fee, fintech, wallet, processor, consumer',
    not: `
      payment for order, dividend|debt|mortgage|ransom|interest|lease|severance|child|bond payment,
      sim|gift|graphics|report|green|birthday|credit card debt card, wild card, payments ** sanction,
      missed payment, down payment, payments to|of
    `,
    assets: 'industry:Payments',
  },
  {
    slug: 'brokers-and-exchanges',
    sure: `
      brokerage, broker dealer, online|retail|discount|stock|interactive broker,
      stock|=futures|derivatives exchange operator|group|merger, exchange operator, clearing house, clearinghouse,
      retail trading app|platform|investor, trading app|platform ** stock|retail|user, market maker,
      24 hour trading, options exchange, london stock exchange group, deutsche boerse, CME group, order flow,
      order routing, zero commission, trading ** 24 hours, commission free
    `,
    likely: 'broker, trading app, exchange, retail investor',
    hint: 'trading, commission, trader, clearing, stock',
    not: `
      insurance|mortgage|real|estate|power broker, crypto * exchange|brokerage|broker, exchange rate|for|of|traded,
      foreign|prisoner|student|gift|cultural exchange, in exchange, brokers cut|say|see|raised|note, several broker
    `,
    assets: 'industry:Brokers and exchanges',
  },
  {
    slug: 'asset-management',
    sure: `
      asset|money|wealth|fund manager|management|managers, hedge fund, private equity, private credit|markets,
      pension fund, sovereign wealth fund, assets under management, AUM, buyout firm, mutual fund ${MAKER},
      venture capital, family office, alternative asset, index fund giant, investment manager|firm, 401 k,
      private markets
    `,
    likely: 'fund manager, fee, pension, wealth, endowment',
    hint: 'fund, investor, portfolio, client, raise',
    not: `
      activist hedge, pension reform|age|strike, asset manager say,
      data|digital|it|facility|waste asset|asset management, hedge funds cut|bet|buy|sell, hedge fund|funds ** stake
    `,
    assets: 'industry:Asset management',
  },
  // Consumer
  {
    slug: 'consumer',
    fallback: true,
    sure: 'consumer goods|stock|=stocks|discretionary|staples|brand|company|companies',
    likely: '=consumers, shopper',
    hint: 'brand, store, spending, household',
    not: 'consumer price|confidence|sentiment|spending|protection|lending|credit',
    assets: 'sector:Consumer',
  },
  {
    slug: 'retail',
    sure: `
      =retailer, =retailers, department store, supermarket, grocer, grocery chain|store|retailer|sales,
      retail ${MAKER}|giant|store|apocalypse|footprint|sector|bankruptcy, discount store|chain|chains,
      convenience store|chain, store closure|closing|opening|chain|closures, home improvement chain|retailer,
      dollar store, big box, shopping mall|centre|center, warehouse club, online retailer, close|open|shut # store,
      holiday shopping, merchandise, e tailer, drugstore chain
    `,
    likely: '=retail, store, shopper, shopping, checkout, mall',
    hint: 'price, stock, sale, customer, season, brand',
    not: `
      retail =sales, retail investor|trader|bank|banking|price|trading, app|play store, in store for,
      store of value, data store
    `,
    assets: 'industry:Retail',
  },
  {
    slug: 'automobiles',
    sure: `
      carmaker, automaker, car ${MAKER}|sale|=sales|dealer|market|production|export|buyer|=sales|plant|loan,
      auto ${MAKER}|sale|=sales|part|dealer|plant|worker|loan|tariff|production|supplier, automotive,
      electric vehicle|car|truck|vehicles, EV, EVs, vehicle sale|production|delivery|registration|deliveries,
      self driving, robotaxi, autonomous vehicle|driving, pickup truck, truck ${MAKER}, plug in, new car,
      used car|vehicle, gigafactory, SUV, motorcycle ${MAKER}, battery electric, hybrid car|vehicle|sales,
      car registration, charging station
    `,
    likely: '=cars, vehicle, auto, truck, car, automobile, motor',
    hint: 'electric, battery, model, delivery, dealer, brake, driver',
    not: `
      car crash|accident|bomb|park|chase|ring|wash|rental|insurance|seat, auto insurance,
      cable|trolley|street|rail|sleeping car, car t, grand theft auto, space|launch|armored vehicle,
      investment vehicle, special purpose vehicle
    `,
    assets: 'industry:Automobiles',
  },
  {
    slug: 'luxury-goods',
    sure: `
      luxury ${MAKER}|share|shares|goods|house|houses|brand|demand|sector|spending|shopper|fashion|market|retailer|sales|watch|handbag|slump,
      handbag, swiss watch|watches, watch ${MAKER}|exports, watchmaker, jeweller|jeweler ${MAKER}, haute couture,
      high end fashion|jewelry|jewellery, jewellery ${MAKER}, designer label|handbag, champagne ${MAKER}
    `,
    likely: 'luxury, jewellery, jewelry, cognac',
    hint: 'brand, fashion, boutique, chinese, wealthy',
    not: `
      luxury home|apartment|car|condo|suv|hotel|resort|yacht,
      watch list|dog|out|for|live|video|tv|party|this|how|the, smart|apple watch, on watch, luxury sedan
    `,
    assets: 'industry:Luxury goods',
  },
  {
    slug: 'apparel',
    sure: `
      apparel, sneaker, sportswear, fashion ${MAKER}|retailer|chain|label, clothing ${MAKER}|retailer|sales|store,
      footwear, shoe ${MAKER}, garment, fast fashion, denim ${MAKER}, jeans maker, textile ${MAKER}|export|mill,
      athleisure, lingerie ${MAKER}
    `,
    likely: 'clothing, shoe, fashion, textile, clothes',
    hint: 'brand, collection, wear, retailer, sourcing',
    not: 'fashion week|show, luxury fashion, running shoe review, old fashioned',
    assets: 'industry:Apparel',
  },
  {
    slug: 'food-and-beverages',
    sure: `
      food ${MAKER}|giant|and beverage|processor|price inflation|producers|conglomerate, beverage ${MAKER}|giant,
      brewer, distiller, snack ${MAKER}, soft drink, soda ${MAKER}|tax|sales, packaged food|foods,
      meat ${MAKER}|packer|processor|packing, meatpacker, plant based|meat, beer ${MAKER}|sales|demand|volumes,
      spirits ${MAKER}|group|giant, winemaker, chocolate ${MAKER}|maker|price, dairy ${MAKER}|group|giant,
      confectioner, cereal ${MAKER}, bottler, whisky|whiskey ${MAKER}|export|tariff, infant formula, bottled water,
      frozen meal|food, ketchup, consumer food, baijiu, energy drink, candy ${MAKER}
    `,
    likely: 'food, beer, drink, beverage, snack, wine, dairy, chocolate, alcohol, whiskey',
    hint: 'brand, ingredient, grocery, consumer, taste, sugar, packaged',
    not: `
      food bank|stamp|truck|delivery|safety|poisoning|aid|critic|festival|inflation|price|recipe,
      drink driving|drive, wine tasting, fast food, beer garden, food for thought, food drug administration,
      drink recipe
    `,
    assets: 'industry:Food and beverages',
  },
  {
    slug: 'restaurants',
    sure: `
      restaurant, fast food|casual, burger chain|king|restaurant, coffee chain|giant, pizza ${MAKER}|chain,
      diner ** chain|restaurant|meal|menu|price, casual dining, eatery, franchisee, quick service, cafe chain,
      pub chain|operator|group, starbucks|mcdonald|chipotle|wendy ** menu|store|sales|traffic, drive thru
    `,
    likely: 'diner, menu, dining, burger, pizza, pub',
    hint: 'chain, meal, traffic, store, franchise, price, customer',
    not: 'restaurant review, best restaurant, michelin, dining table|room',
    assets: 'industry:Restaurants',
  },
  {
    slug: 'household-products',
    sure: `
      household goods|products|product ${MAKER}|maker, consumer staples, detergent, diaper, toothpaste, shampoo,
      cosmetics, cosmetic ${MAKER}, beauty ${MAKER}|giant|products|brand|sales, personal care, razor ${MAKER},
      toilet paper ${MAKER}|maker|price, tissue ${MAKER}, skincare, skin care, cleaning product|products,
      soap ${MAKER}, makeup ${MAKER}, feminine care, nappies
    `,
    likely: 'beauty, soap, perfume, fragrance',
    hint: 'brand, household, consumer, price, pulp',
    not: 'beauty contest|queen|pageant|salon|and the, soap opera, skincare routine, sleeping beauty',
    assets: 'industry:Household products',
  },
  {
    slug: 'tobacco',
    sure: `
      tobacco, cigarette, vape, vaping, nicotine, e cigarette, smokeless, juul, cigar maker|sales, heated tobacco,
      iqos, menthol, zyn
    `,
    likely: '=smoking, smoker',
    hint: 'ban, flavor, volume, pouch',
    not: 'smoking gun, no smoking',
    assets: 'industry:Tobacco',
  },
  {
    slug: 'travel-and-leisure',
    sure: `
      hotel ${MAKER}|chain|booking|operator|room|stock|group, hotelier,
      cruise line|ship|operator|lines|booking|stock, cruise ** booking|demand,
      travel demand|booking|agency|agent|ban|industry|stock|restriction|=stocks|company|group|season|firm, tourism,
      tourist arrival, casino, gambling, sports betting, theme park, vacation rental, short term rental,
      resort operator, online travel, holiday company|booking, betting ${MAKER}|firm, ski resort operator,
      gaming revenue, macau, leisure ${MAKER}, lodging, timeshare, RevPAR, bookmaker, booking platform, airbnb
    `,
    likely: 'hotel, cruise, travel, tourist, resort, casino, leisure, =betting, tour operator',
    hint: 'booking, summer, vacation, holiday, visitor, room',
    not: `
      cruise missile|control, tom cruise|ted, cruise robotaxi|self|autonomous, time travel,
      travel back|to|guide|tip|tips, casino royale, world tour, best hotel
    `,
    assets: 'industry:Travel and leisure',
  },
  {
    slug: 'airlines',
    sure: `
      airways, air line|lines, airline, air carrier, air travel|fare|traffic|passenger, airfare,
      low cost|budget carrier|airline, flight cancel|cancellation|delay|ban|attendant|capacity|suspension,
      cancel ** flight|flights, flights ** cancel|ground|suspend|delay, passenger traffic|revenue|yield,
      carrier ** flight|pilot|passenger|route|jet, pilot union, lufthansa|ryanair|easyjet|qantas|emirates,
      aviation ${MAKER}|authority|sector|demand, seat capacity, canadian|${NATIONAL}|flag carrier, pilots
    `,
    likely: 'flight, pilot, carrier, airport, aviation, passenger',
    hint: 'jet, plane, route, fuel, ticket, runway, fleet, seat',
    not: `
      flight to safety|quality|risk, aircraft|mobile|wireless|telecom|parcel|phone|mail|capital flight carrier,
      test|space|rocket flight, pilot program|project|scheme|customer|study|plant, television pilot, carrier pigeon,
      pilot of the
    `,
    assets: 'industry:Airlines',
  },
  // Industrials
  {
    slug: 'industrials',
    fallback: true,
    sure: 'industrial =stocks|sector|company|companies|conglomerate|group|goods',
    likely: '=industrials, industrial, engineering',
    hint: 'factory, machine, order',
    not: 'dow industrials|jones, industrial output|production|action|metal|policy|average',
    assets: 'sector:Industrials',
  },
  {
    slug: 'aerospace-and-defense',
    sure: `
      army|navy|force order|contract, aerospace,
      defense|defence ${MAKER}|contractor|spending|budget|order|=stocks|contract|deal|department contract,
      fighter jet, jet engine, planemaker, plane ${MAKER}, aircraft ${MAKER}|order|delivery|deliveries|manufacturer,
      arms ${MAKER}|deal|export|sale|manufacturer, weapon ${MAKER}|system|deal|order|maker,
      missile system|defense|order|contract|defence, pentagon ** contract|order|award, rocket ${MAKER}|launch,
      satellite ${MAKER}|launch, tank ${MAKER}|order, warship, submarine ${MAKER}|deal|order,
      military contract|drone|order|equipment|spending|aid, 737|787|777 max|dreamliner|jet|x, 737, a320|a350|a321,
      drone ${MAKER}, narrowbody, widebody, ammunition, shipbuilder, space launch|startup, howitzer
    `,
    likely: 'aircraft, jet, missile, defense, defence, weapon, plane, rocket, satellite, military',
    hint: 'order, delivery, contract, NATO, air force, engine, army, rearm',
    not: `
      legal|title|self|criminal|missile attack|crop defense|defence, missiles hit|strike, defense lawyer|attorney,
      plane crash victim, private jet, jet ski|lag, cyber defense|defence, defend, fuel jet, in defense|defence of,
      jet fuel
    `,
    assets: 'industry:Aerospace and defense',
  },
  {
    slug: 'machinery',
    sure: `
      machinery, tractor, excavator, construction|farm|mining|agricultural equipment|machine|machinery,
      heavy equipment|truck, machine tool|builder|maker, industrial robot, robot ${MAKER}, forklift,
      combine harvester, factory automation, crane ${MAKER}, turbine ${MAKER}, engine ${MAKER}, elevator ${MAKER},
      bulldozer, truckmaker, pump ${MAKER}, automation equipment
    `,
    likely: 'tractor, equipment, turbine, automation, =machines',
    hint: 'order, dealer, farm, construction, maker, industrial',
    not: `
      core machinery order, voting|washing|slot|coffee|vending|time|answering machine|=machines, machinery order,
      equipment ** medical, protective equipment, tractor beam
    `,
    assets: 'industry:Machinery',
  },
  {
    slug: 'logistics',
    sure: `
      logistics, parcel, freight ${MAKER}|forwarder|broker|company|demand|train|forwarding|carrier|railroad|volume,
      =trucking, =trucker, =truckers, courier, package delivery|volume,
      delivery ${MAKER}|surcharge|network|driver|firm, last mile, railroad, railway, rail operator|freight|merger,
      postal service, ride hailing, warehouse operator|automation, supply chain services, air cargo,
      shipping ${MAKER}|line|giant|group|company, container line, peak season surcharge, gig worker, shipper
    `,
    likely: 'freight, delivery, shipment, cargo, truck driver, warehouse, rail',
    hint: 'package, carrier, surcharge, volume, driver, peak',
    not: `
      pizza|food|drug|vaccine delivery, vehicle|car|jet|aircraft|ev delivery|deliveries,
      smartphone|phone|pc|laptop|oil|iphone shipment, freight rate|bill, third rail, railed
    `,
    assets: 'industry:Logistics',
  },
  {
    slug: 'conglomerates',
    sure: 'conglomerate, diversified industrial, holding company discount, keiretsu, chaebol',
    likely: 'diversified, holding company',
    hint: 'division, unit, break up',
    assets: 'industry:Conglomerates',
  },
  {
    slug: 'waste-management',
    sure: `
      landfill, waste management|collection|hauler|company|disposal|operator|industry|services,
      recycling ${MAKER}|plant|rate|facility|business|plants, garbage collection|hauler|truck,
      trash hauler|collection, sewage, hazardous waste, =recycler, =recyclers, waste to energy, scrap dealer,
      e waste
    `,
    likely: 'recycling, waste, recycle',
    hint: 'plant, plastic, garbage, collection, disposal',
    not: 'waste of time|money, nuclear waste, waste no, go to waste, lay waste',
    assets: 'industry:Waste management',
  },
  // Energy and others
  {
    slug: 'energy',
    fallback: true,
    sure: `
      energy ${MAKER}|=stocks|transition|security|minister|policy|shares|sector, renewable energy|power,
      clean energy, solar ${MAKER}|panel|power|project|stock, wind ${MAKER}|turbine|farm|power, green hydrogen,
      offshore wind, renewables, hydrogen ${MAKER}, uranium ${MAKER}
    `,
    likely: 'energy, renewable, solar, hydrogen, biofuel, geothermal',
    hint: 'power, oil, gas, fuel',
    not: 'energy drink|price|crisis|cost|bar|level|star|healing, solar system|eclipse, wind down|up',
    assets: 'sector:Energy',
  },
  {
    slug: 'oil-and-gas',
    sure: `
      oil ${MAKER}|major|majors|explorer|field|driller|producers|giant|sands|well|=stocks|firm|refiner|exploration|drilling|minister,
      oil and gas|=gas, oil gas, shale, permian, refiner, fracking, frackers, upstream, downstream,
      offshore drilling|field|oil, gas producer|field|explorer|exploration|project|find|discovery|company,
      petrochemical complex, pipeline ${MAKER}|operator|company, oil ** discovery,
      LNG producer|project|terminal|plant|export terminal, energy major, petroleum ${MAKER},
      refinery ** explosion|restart|shut|fire|margin, oil lease, exploration and production, E&P, midstream, bakken,
      guyana ** oil, drillers
    `,
    likely: 'refinery, drilling, driller, rig, oilfield, petroleum, pipeline, LNG',
    hint: 'spill, leak, shell, exxon, chevron, oil, gas, barrel, field, well, exploration, gulf',
    not: `
      palm oil, dental drilling, oil painting, trans mountain bike, drug|product|deal|ipo|talent|sales pipeline,
      oil producers extend|cut, producers extend
    `,
    assets: 'industry:Oil and gas',
  },
  {
    slug: 'oilfield-services',
    sure: `
      oilfield service|services|equipment, oil services|service, rig count,
      drilling contractor|rig|services|equipment, fracking crew|equipment|services, frac crew|fleet, halliburton,
      baker hughes, offshore rig|contractor|driller, idle rig, baker hughes rig, well services, subsea
    `,
    likely: 'oilfield, rig, drilling',
    hint: 'service, contractor, offshore, fracking, crew',
    assets: 'industry:Oilfield services',
  },
  {
    slug: 'utilities',
    fallback: true,
    sure: `
      =utilities, =utility ${MAKER}, water =utility|=utilities|company|companies|supplier, gas =utility,
      =utility bill|bills|sector|stock|regulator
    `,
    likely: '=utility, water company, network operator',
    hint: 'power, bill, grid, customer, tariff, regulated',
    not: 'sport|utility vehicle, utility player, utility token, sport utility',
    assets: 'sector:Utilities',
  },
  {
    slug: 'electric-utilities',
    sure: `
      power|electric|electricity =utility|=utilities|supplier|provider|company|companies|operator|generator|retailer|demand,
      power grid|plant|plants|station|generation|demand|outage|line|supply|producer,
      =electricity grid|demand|price|bill|supply|generation|market|prices|bills,
      nuclear plant|power|reactor|station|energy, coal fired, transmission line|grid|network, blackout,
      grid operator|connection|upgrade, small modular reactor, SMR, energy supplier|bill, hydropower, megawatt,
      gigawatt, =electricity
    `,
    likely: 'electric, grid, megawatt, power, reactor, nuclear',
    hint: 'utility, utilities, plant, generation, customer, wildfire, solar, wind',
    not: `
      purchasing|pricing|super|computing|solar|star|buying|bargaining|will|political|flower|nuclear power|weapon|talks|deal|test|missile,
      electric vehicle|car|truck|guitar|motor|scooter|bike|suv|pickup, power of|to|over|struggle|play|up, in power,
      nuclear program|programme|talks|deal|weapon, power chip, clean electricity, grid search, power outages cut,
      balance of power
    `,
    assets: 'industry:Electric utilities',
  },
  {
    slug: 'materials',
    fallback: true,
    sure: `
      materials =stocks|sector|company, packaging ${MAKER}, paper ${MAKER}|mill|price, pulp ${MAKER}|price|mill,
      glass maker|manufacturer, steelmaker, steel ${MAKER}|mill
    `,
    likely: '=packaging, steelmaker, pulp, timber',
    hint: 'price, plant, raw material, tonne',
    not: 'white|research|position|wall paper, print paper, pulp fiction',
    assets: 'sector:Materials',
  },
  {
    slug: 'chemicals',
    sure: `
      chemical ${MAKER}|makers|plant|giant|price|sector|demand|group|spill, petrochemical, fertilizer, fertiliser,
      plastics ${MAKER}|producers|pellets, industrial gas|gases, specialty chemical|chemicals, agrochemical,
      pesticide ${MAKER}, polymer, paint ${MAKER}|maker, =coatings ${MAKER}, ethylene, PFAS, =chemicals,
      crop chemical, weedkiller, potash, ammonia, cracker plant, steam cracker
    `,
    likely: 'chemical, plastic, pesticide, herbicide',
    hint: 'plant, producer, feedstock, energy cost, toxic',
    not: 'chemical attack|weapon|weapons|reaction|romance|brothers, chemical peel, plastic surgery|bag|bags',
    assets: 'industry:Chemicals',
  },
  {
    slug: 'mining',
    sure: `
      =miners, =miner,
      =mining ${MAKER}|giant|project|rights|licence|license|stock|boom|permit|major|deal|output|operation|shares|strike|royalty,
      copper|gold|lithium|coal|iron|nickel|uranium|diamond|cobalt|silver|platinum mine|mines|miner|miners|=mining|deposit|project,
      mine ** output|closure|restart|expansion|accident|collapse|worker|disruption|production|permit|strike,
      rare earth ${MAKER}|miner|producer|project|mine, open pit, tailings dam, critical mineral|minerals,
      drill result|results, assay, coal miner|producer, gold miner|producer
    `,
    likely: '=mining, =mine, ore, mineral, smelter, lithium, =mines',
    hint: 'project, output, copper, gold, metal, deposit, tonne, royalty, drilling',
    not: `
      bitcoin|crypto|data|btc|coal * miner|miners|mining statistics, crypto miner|mining|miners|=mining,
      bitcoin * =miner|=miners|=mining, data =mining, land =mine|=mines, gold mine of, friend of =mine,
      =mine is|was, miners ** hashrate|hash|hashprice|bitcoin, mining difficulty|rig
    `,
    assets: 'industry:Mining',
  },
  {
    slug: 'construction-materials',
    sure: `
      cement, concrete ${MAKER}|price|supplier, building materials|material|products,
      construction materials|material|aggregates, aggregates ${MAKER}|price|volumes, asphalt, brickmaker,
      brick ${MAKER}, lumber ${MAKER}, plasterboard, gypsum, =roofing ${MAKER}, insulation ${MAKER}, quarry
    `,
    likely: 'concrete, infrastructure, brick, aggregates',
    hint: 'construction, building, price, volume',
    not: `
      concrete plan|step|evidence|proposal|action|jungle|steps|plans,
      cement its|their|his|position|lead|place|status|reputation, lego brick, brick and mortar
    `,
    assets: 'industry:Construction materials',
  },
  {
    slug: 'real-estate',
    sure: `
      real estate, commercial property|real|mortgage, =office landlord|tower|space|vacancy|market|building sale,
      property developer|developers|investor|group|company|giant|tycoon, landlord, real estate ${MAKER},
      warehouse landlord, coworking, co working, mall owner|operator|landlord,
      developer ** default|apartment|evergrande|debt, evergrande|vanke|garden, apartment landlord,
      vacancy rate|rates, office vacancy, rental market
    `,
    likely: 'property, =developer, =developers, tenant, lease, vacancy, landlord, =office, =offices',
    hint: 'rent, building, tower, lender, space, mortgage',
    not: `
      intellectual property, game|software|app|drug|web developer, property tax|damage, home office, box office,
      oval office, patent office, office job|party|worker, lost property, post office, take|takes|took office,
      office of, back to office, return to office
    `,
    assets: 'sector:Real estate',
  },
  {
    slug: 'property-trusts',
    sure: `
      REIT, property trust, real estate investment trust, mortgage REIT, reits, net lease, data center|centre REIT,
      cell tower ${MAKER}|owner, warehouse landlord, shopping center owner|landlord,
      occupancy rate|rates ** tenant|lease, FFO, funds from operations
    `,
    likely: 'landlord, occupancy, tenant, vacancy',
    hint: 'lease, rent, property, square, mall, tower, trust',
    assets: 'industry:Property trusts',
  },
]
