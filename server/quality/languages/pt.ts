/** Portuguese headlines in the format of parse.ts. Written before the rules; every third line is held back. */
export default `
1 | PETR4.SA | earnings | Lucro da Petrobras sobe 20% no trimestre
-1 | VALE3.SA | earnings | Vale tem queda de 30% no lucro
-1 | ABEV3.SA | guidance | Ambev corta projeções para o ano
1 | ITUB4.SA | guidance | Itaú Unibanco eleva projeção de lucro
-1 |  | recalls | Montadora faz recall de 50 mil carros por falha nos freios
0 | VALE3.SA | executive-changes | Vale nomeia novo diretor financeiro
1 | EDP.LS | dividends | EDP aumenta dividendo
-1 | PETR4.SA | dividends | Petrobras reduz dividendos
1 | ITUB4.SA | share-buybacks | Itaú Unibanco anuncia recompra de ações
-1 | BAYN.DE | lawsuits | Bayer é condenada a pagar US$ 2 bilhões
-1 |  | layoffs | Startup demite 300 funcionários
-1 | GALP.LS | layoffs | Galp vai cortar 500 postos de trabalho
1 |  |  | Embraer conquista encomenda de 100 aviões
1 | PETR4.SA |  | Ações da Petrobras atingem máxima histórica
-1 | TSLA |  | Ações da Tesla despencam após balanço
1 | IBOV |  | Ibovespa fecha em alta
-1 | IBOV |  | Ibovespa cai 2% com temor fiscal
1 | DJI | us-indices | Bolsas de Nova York sobem e Dow Jones bate recorde
-1 | NDX | us-indices | Nasdaq desaba 4%
0 |  | central-banks | Copom mantém a Selic em 15%
0 |  | european-central-bank central-banks? | BCE mantém as taxas de juro
0 |  | federal-reserve central-banks? | Fed corta juros em 0,25 ponto
-1 |  | inflation consumer-prices? | Inflação acelera para 5% no Brasil
1 |  | inflation consumer-prices? | Inflação desacelera mais que o esperado
-1 |  | gdp | PIB recua no terceiro trimestre
1 |  | gdp | Economia portuguesa cresce acima do esperado
-1 |  | jobs-reports? | Desemprego sobe pelo terceiro mês seguido
-1 |  | tariffs | Trump ameaça o Brasil com novas tarifas
0 | ITUB4.SA | mergers-and-acquisitions | Itaú Unibanco avalia a compra de um banco no Chile
1 | EDP.LS | mergers-and-acquisitions | EDP conclui com sucesso a aquisição de parque eólico
0 |  | ipos | Empresa adia abertura de capital
1 |  | ipos | Estreia na bolsa: ações disparam 30% no IPO
1 | VALE3.SA | analyst-ratings | Goldman Sachs eleva recomendação da Vale para compra
-1 | ABEV3.SA | analyst-ratings | UBS rebaixa Ambev para venda
0 | PETR4.SA | analyst-ratings | Bradesco mantém recomendação neutra para Petrobras
1 | XAU | gold | Ouro atinge novo recorde
-1 | XAU | gold | Preço do ouro cai 2%
1 | BRENT | crude-oil | Petróleo dispara após decisão da Opep
-1 | BRENT | crude-oil | Preço do petróleo desaba
1 | BTC | bitcoin | Bitcoin ultrapassa US$ 100 mil
-1 | BTC | bitcoin | Bitcoin despenca
-1 |  | strikes | Greve dos pilotos cancela centenas de voos
0 |  | strikes | Sindicato suspende a greve
-1 | GOOGL | antitrust | União Europeia multa Google em 4 bilhões de euros
-1 | META | antitrust? regulatory-probes? | Cade investiga Meta
-1 | ITUB4.SA | regulatory-probes | CVM abre investigação sobre Itaú Unibanco
1 | ITUB4.SA | earnings | Itaú Unibanco supera expectativas do mercado
-1 | VALE3.SA | earnings | Receita da Vale decepciona
1 | EDP.LS | earnings | Vendas da EDP crescem 8%
-1 | ABEV3.SA | earnings | Ambev lucra menos que o esperado
1 | VALE3.SA | earnings | Vendas da Vale caem menos que o previsto
1 | PETR4.SA | earnings | Petrobras tem lucro recorde
-1 |  | earnings | Varejista amplia prejuízo
1 |  | earnings | Magazine Luiza reduz prejuízo
1 | AIR.PA |  | Airbus ganha contrato de 5 bilhões
-1 | AIR.PA | supply-chains? | Atrasos travam entregas da Airbus
-1 | AAPL |  | Apple sofre com demanda fraca na China
1 | TSLA |  | Tesla dispara em Wall Street
-1 | BA |  | Boeing perde grande cliente
0 | AAPL |  | Apple apresenta novo iPhone
0 | NESN.SW | executive-changes | Presidente da Nestlé renuncia ao cargo
1 | ITUB4.SA | guidance | Itaú Unibanco melhora metas após trimestre sólido
-1 | SAN.PA | drug-trials? | Fracassa ensaio clínico da Sanofi
1 | UBSG.SW | earnings | UBS duplica lucro
0 | BTC | bitcoin? | O que saber antes de comprar bitcoin
0 |  |  | Previsão do tempo para o fim de semana
0 |  |  | Flamengo vence a Copa do Brasil
0 |  |  | Vale a pena investir em imóveis agora?
0 |  |  | Dez dicas para dormir melhor
0 |  |  | Crianças desenham pela paz
-1 |  |  | Fábrica de móveis pede falência
-1 |  |  | Rede de moda entra em recuperação judicial
1 |  |  | Construtora evita a falência
-1 |  | layoffs | Renault elimina milhares de empregos
1 |  |  | Empresa vai criar 2.000 empregos
1 | BA |  | Boeing obtém encomenda de 100 aviões
-1 | INTC | factories? | Intel suspende construção de fábrica
1 | NVDA | earnings | Nvidia volta a superar previsões
-1 | NVDA |  | Ações da Nvidia recuam
0 | EDP.LS |  | EDP realiza assembleia de acionistas em Lisboa
1 |  |  | Confiança do consumidor melhora
-1 |  |  | Produção industrial cai em maio
-1 |  |  | Exportações despencam
1 |  |  | Exportações crescem com força
-1 | ABEV3.SA | guidance | Ambev faz alerta de lucro
1 | EDP.LS | guidance | EDP confirma metas apesar das tarifas
-1 | PYPL | data-breaches | Vazamento de dados atinge PayPal
0 | AMZN |  | Amazon abre centro logístico em Recife
-1 | META | lawsuits | Editoras processam a Meta
1 | META | lawsuits | Juiz rejeita processo contra a Meta
-1 | SAN.MC |  | Banco Santander recebe multa milionária
1 | ASML.AS |  | ASML tem carteira de encomendas recorde
-1 | ASML.AS |  | ASML decepciona investidores
1 | COPPER |  | Preço do cobre sobe
-1 | DAX CAC40 | european-indices | Bolsas europeias no vermelho: Dax e CAC 40 recuam
1 | EURUSD |  | Euro sobe para máximos de três anos
0 |  |  | Imposto de renda: veja os prazos
0 | PETR4.SA |  | Petrobras inaugura centro de pesquisa no Rio
-1 | HSBA.L | earnings | Lucro do HSBC cai pela metade
1 | VALE3.SA |  | Vale assina acordo importante com a Arábia Saudita
`
