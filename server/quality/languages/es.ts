/** Spanish headlines in the format of parse.ts. Written before the rules; every third line is held back. */
export default `
1 | ITX.MC | earnings | Inditex gana un 9 % más hasta septiembre
-1 | TEF.MC | earnings | Telefónica pierde 1.300 millones en el primer semestre
-1 | SAN.MC | guidance | Santander rebaja sus previsiones para el año
1 | IBE.MC | guidance | Iberdrola eleva su previsión de beneficio
-1 |  | recalls | Seat llama a revisión 50.000 coches por un fallo en los frenos
0 | TEF.MC | executive-changes | Telefónica nombra nuevo consejero delegado
1 | IBE.MC | dividends | Iberdrola sube el dividendo un 10 %
-1 | TEF.MC | dividends | Telefónica recorta su dividendo a la mitad
1 | SAN.MC | share-buybacks | Banco Santander lanza una recompra de acciones
-1 | BAYN.DE | lawsuits | Bayer, condenada a pagar 2.000 millones por el glifosato
-1 | TEF.MC | layoffs | Telefónica plantea un ERE para 5.000 empleados
-1 |  | layoffs | Ford despide a mil trabajadores en Almussafes
1 | AIR.PA |  | Airbus logra un pedido de 100 aviones
1 | ITX.MC |  | Las acciones de Inditex marcan máximos históricos
-1 | TSLA |  | Las ventas de Tesla en Europa se hunden
1 | IBEX35 | european-indices | El Ibex 35 cierra con ganancias
-1 | IBEX35 | european-indices | El Ibex 35 cae un 2 % lastrado por la banca
1 | DJI | us-indices | Wall Street cierra en verde y el Dow Jones bate récords
-1 | NDX | us-indices | El Nasdaq se desploma un 4 %
0 |  | european-central-bank central-banks? | El BCE mantiene los tipos de interés
0 |  | european-central-bank central-banks? | El BCE debatirá una bajada de tipos en junio
0 |  | federal-reserve central-banks? | La Fed baja los tipos un cuarto de punto
-1 |  | inflation consumer-prices? | La inflación repunta al 3 % en España
1 |  | inflation consumer-prices? | La inflación se modera más de lo esperado
-1 |  | gdp | El PIB de Alemania se contrae
1 |  | gdp | La economía española crece un 0,8 %
-1 |  | jobs-reports? | El paro sube por tercer mes consecutivo
-1 |  | tariffs | Trump amenaza a Europa con nuevos aranceles
0 | SAN.MC | mergers-and-acquisitions | Santander estudia la compra de un banco británico
1 | IBE.MC | mergers-and-acquisitions | Iberdrola cierra con éxito la adquisición de una eléctrica
0 |  | ipos | Cox prepara su salida a Bolsa
1 |  | ipos | Estreno en Bolsa por todo lo alto: sube un 30 %
1 | ITX.MC | analyst-ratings | Goldman Sachs mejora su recomendación sobre Inditex
-1 | TEF.MC | analyst-ratings | UBS recomienda vender Telefónica
0 | IBE.MC | analyst-ratings | Barclays mantiene su consejo neutral sobre Iberdrola
1 | XAU | gold | El oro alcanza un nuevo máximo histórico
-1 | XAU | gold | El precio del oro cae un 2 %
1 | BRENT | crude-oil | El petróleo se dispara tras la decisión de la OPEP
-1 | BRENT | crude-oil | El precio del petróleo se desploma
1 | BTC | bitcoin | El bitcoin supera los 100.000 dólares
-1 | BTC | bitcoin | El bitcoin se hunde
-1 |  | strikes | Huelga de pilotos: cientos de vuelos cancelados
0 |  | strikes | Los sindicatos desconvocan la huelga
-1 | GOOGL | antitrust | Bruselas multa a Google con 4.000 millones
-1 | META | antitrust? regulatory-probes? | Bruselas investiga a Meta
-1 | SAN.MC | regulatory-probes | La CNMV abre un expediente a Santander
1 | SAN.MC | earnings | Santander supera las expectativas del mercado
-1 | ITX.MC | earnings | Los ingresos de Inditex decepcionan
1 | IBE.MC | earnings | Iberdrola aumenta sus ventas un 8 %
-1 | TEF.MC | earnings | Telefónica gana menos de lo previsto
1 | ITX.MC | earnings | Las ventas de Inditex caen menos de lo esperado
1 | SAN.MC | earnings | Santander obtiene un beneficio récord
-1 |  | earnings | Grifols amplía sus pérdidas
1 |  | earnings | Celsa reduce sus pérdidas
1 | AIR.PA |  | Airbus gana un contrato de 5.000 millones
-1 | AIR.PA | supply-chains? | Los retrasos frenan las entregas de Airbus
-1 | AAPL |  | Apple sufre por la débil demanda en China
1 | TSLA |  | Tesla se dispara en Bolsa
-1 | BA |  | Boeing pierde a uno de sus mayores clientes
0 | AAPL |  | Apple presenta el nuevo iPhone
0 | NESN.SW | executive-changes | Dimite el presidente de Nestlé
1 | SAN.MC | guidance | Santander mejora sus objetivos tras un trimestre sólido
-1 | SAN.PA | drug-trials? | Fracasa un ensayo clínico de Sanofi
1 | UBSG.SW | earnings | UBS duplica su beneficio
0 | BTC | bitcoin? | Qué hay que saber antes de comprar bitcoin
0 |  |  | El tiempo para este fin de semana
0 |  |  | El Real Madrid gana la Copa del Rey
0 |  |  | Exposición: los tesoros del Prado
0 |  |  | Diez consejos para dormir mejor
0 |  |  | La casa más moderna de Madrid sale a la venta
-1 |  |  | El fabricante de muebles se declara en quiebra
-1 |  |  | La cadena de moda entra en concurso de acreedores
1 |  |  | La constructora evita la quiebra
-1 |  | layoffs | Renault elimina miles de puestos de trabajo
1 |  |  | La compañía creará 2.000 empleos
1 | BA |  | Boeing consigue un pedido de 100 aviones
-1 | INTC | factories? | Intel suspende la construcción de su fábrica
1 | NVDA | earnings | Nvidia vuelve a batir las previsiones
-1 | NVDA |  | Las acciones de Nvidia retroceden
0 | IBE.MC |  | Iberdrola celebra su junta de accionistas en Bilbao
1 |  |  | La confianza de los consumidores mejora
-1 |  |  | La producción industrial baja en mayo
-1 |  |  | Las exportaciones se desploman
1 |  |  | Las exportaciones crecen con fuerza
-1 | TEF.MC | guidance | Telefónica lanza una advertencia sobre beneficios
1 | IBE.MC | guidance | Iberdrola confirma sus objetivos pese a los aranceles
-1 | PYPL | data-breaches | Filtración de datos en PayPal
0 | AMZN |  | Amazon abre un centro logístico en Zaragoza
-1 | META | lawsuits | Los editores demandan a Meta
1 | META | lawsuits | El juez desestima la demanda contra Meta
-1 | SAN.MC |  | Multa millonaria a Banco Santander
1 | ASML.AS |  | ASML logra una cartera de pedidos récord
-1 | ASML.AS |  | ASML decepciona a los inversores
1 | COPPER |  | El precio del cobre sube
-1 | IBEX35 DAX | european-indices | Las bolsas europeas se tiñen de rojo: el Ibex 35 y el Dax caen
1 | EURUSD |  | El euro sube a máximos de tres años frente al dólar
0 |  |  | Renta: los plazos que debes conocer
0 | SAN.MC |  | Santander abre una oficina en Miami
-1 | HSBA.L | earnings | El beneficio de HSBC se reduce a la mitad
1 | WALMEX.MX | earnings | Walmex aumenta sus ingresos un 7 %
`
