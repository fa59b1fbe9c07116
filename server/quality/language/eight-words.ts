/**
 * Plain sentences of about eight words, three per language, written for this repository. Every third is held back: no
 * rule was made to fit it.
 */
export const eightWords: Record<string, readonly [string, string, string]> = {
  am: ['ዛሬ ጠዋት ወደ ገበያ ሄጄ ቡና እና ዳቦ ገዛሁ', 'መንግሥት አዲስ የንግድ ስምምነት ከጎረቤት አገር ጋር ፈረመ', 'ልጆቹ ከትምህርት ቤት በኋላ በሜዳው ላይ ኳስ ይጫወታሉ'],
  ar: [
    'ارتفعت أسعار النفط بعد اجتماع الدول المنتجة أمس',
    'ذهبت مع أصدقائي إلى السوق لشراء الخبز والفاكهة',
    'أعلنت الشركة عن نتائجها المالية للربع الثالث من العام',
  ],
  az: [
    'Bu gün bazara getdim və təzə çörək aldım',
    'Hökumət gələn il üçün yeni büdcə layihəsini təsdiqlədi',
    'Uşaqlar məktəbdən sonra həyətdə futbol oynamağı çox sevirlər',
  ],
  be: [
    'Сёння раніцай мы хадзілі ў лес збіраць грыбы',
    'Урад зацвердзіў новы бюджэт краіны на наступны год',
    'Мой брат вельмі любіць чытаць кнігі пра гісторыю',
  ],
  bg: [
    'Цените на храните в страната се повишиха отново',
    'Вчера бяхме на гости при баба на село',
    'Правителството прие новия закон за данъците тази седмица',
  ],
  bn: [
    'আজ সকালে আমি বাজারে গিয়ে মাছ আর সবজি কিনেছি',
    'সরকার নতুন অর্থবছরের জন্য বাজেট ঘোষণা করেছে আজ',
    'আমার ছোট ভাই প্রতিদিন বিকেলে মাঠে ফুটবল খেলে',
  ],
  ca: [
    'Els preus dels lloguers han tornat a pujar enguany',
    'Ahir vam anar a la platja amb els amics',
    "La meva germana treballa en una escola prop d'aquí",
  ],
  cs: [
    'Ceny potravin letos rostou rychleji než platy zaměstnanců',
    'Včera večer jsme šli s přáteli do kina',
    'Vláda schválila nový zákon o daních z příjmů',
  ],
  da: [
    'Priserne på boliger er faldet for tredje måned i træk',
    'Jeg vil gerne købe et nyt hus uden for byen',
    'Min bror arbejder på et hospital i den lille by',
  ],
  de: [
    'Die Preise für Wohnungen sind im Sommer gesunken',
    'Gestern Abend waren wir mit Freunden im Kino',
    'Meine Schwester arbeitet seit zwei Jahren im Ausland',
  ],
  el: [
    'Οι τιμές των τροφίμων αυξήθηκαν ξανά τον Ιούνιο',
    'Χθες πήγαμε με φίλους στη θάλασσα για μπάνιο',
    'Η κυβέρνηση ψήφισε τον νέο νόμο για φόρους',
  ],
  en: [
    'Yesterday we went to the beach with our friends',
    'Food prices have risen faster than wages this year',
    'My sister has worked abroad for almost two years',
  ],
  es: [
    'Ayer fuimos a la playa con nuestros amigos',
    'Los precios de los alimentos subieron otra vez',
    'Mi hermana trabaja en un hospital cerca de aquí',
  ],
  et: [
    'Toidu hinnad on sel aastal palgast kiiremini tõusnud',
    'Eile õhtul käisime koos sõpradega kinos ja kohvikus',
    'Valitsus kiitis heaks uue seaduse maksude kohta',
  ],
  eu: [
    'Elikagaien prezioak azkar igo dira aurten gure herrian',
    'Atzo lagunekin joan ginen hondartzara eguzkia hartzera',
    'Nire arrebak ospitale batean lan egiten du egunero',
  ],
  fa: [
    'قیمت نفت پس از نشست کشورهای تولیدکننده بالا رفت',
    'دیروز با دوستانم به بازار رفتیم و نان خریدیم',
    'دولت بودجه سال آینده را به مجلس ارائه کرد',
  ],
  fi: [
    'Ruoan hinta on noussut tänä vuonna palkkoja nopeammin',
    'Eilen illalla kävimme ystävien kanssa elokuvissa ja kahvilla',
    'Siskoni on töissä sairaalassa pienessä kaupungissa pohjoisessa',
  ],
  fr: [
    'Hier nous sommes allés à la plage avec des amis',
    'Les prix des logements ont encore augmenté cet été',
    'Ma sœur travaille dans un hôpital près de chez nous',
  ],
  gu: [
    'આજે સવારે હું બજારમાં શાકભાજી ખરીદવા ગયો હતો',
    'સરકારે આવતા વર્ષ માટે નવું બજેટ રજૂ કર્યું છે',
    'મારો ભાઈ દરરોજ સાંજે મેદાનમાં ક્રિકેટ રમે છે',
  ],
  he: [
    'מחירי המזון עלו השנה מהר יותר מהשכר הממוצע',
    'אתמול הלכנו עם חברים לים ואכלנו גלידה טעימה',
    'אחותי עובדת בבית חולים קטן ליד הבית שלנו',
  ],
  hi: [
    'आज सुबह मैं बाज़ार से ताज़ी सब्ज़ियाँ लेकर आया',
    'सरकार ने अगले साल के लिए नया बजट पेश किया',
    'मेरा भाई हर शाम मैदान में क्रिकेट खेलता है',
  ],
  hr: [
    'Cijene hrane ove su godine rasle brže od plaća',
    'Jučer smo s prijateljima išli na more kupati se',
    'Vlada je usvojila novi zakon o porezima i naknadama',
  ],
  hu: [
    'Az élelmiszerek ára idén gyorsabban nőtt a béreknél',
    'Tegnap este moziban voltunk a barátainkkal a városban',
    'A kormány elfogadta az adókról szóló új törvényt',
  ],
  hy: [
    'Այսօր առավոտյան ես գնացի շուկա և հաց գնեցի',
    'Կառավարությունը հաստատեց հաջորդ տարվա նոր բյուջեն այսօր',
    'Իմ եղբայրը ամեն երեկո դաշտում ֆուտբոլ է խաղում',
  ],
  is: [
    'Verð á mat hefur hækkað hraðar en launin í ár',
    'Í gær fórum við með vinum okkar í sund',
    'Systir mín vinnur á sjúkrahúsi í litlum bæ fyrir norðan',
  ],
  it: [
    'Ieri siamo andati al mare con i nostri amici',
    'I prezzi delle case sono saliti ancora questa estate',
    'Mia sorella lavora in un ospedale vicino a casa nostra',
  ],
  ja: [
    '昨日は友達と一緒に海へ泳ぎに行きました',
    '食品の値段が今年また大きく上がっている',
    '妹は小さな町の病院で働いています',
  ],
  ka: [
    'დღეს დილით ბაზარში წავედი და ახალი პური ვიყიდე',
    'მთავრობამ დაამტკიცა მომავალი წლის ახალი ბიუჯეტი დღეს',
    'ჩემი ძმა ყოველ საღამოს მოედანზე ფეხბურთს თამაშობს',
  ],
  kn: [
    'ಇಂದು ಬೆಳಿಗ್ಗೆ ನಾನು ಮಾರುಕಟ್ಟೆಗೆ ಹೋಗಿ ತರಕಾರಿ ತಂದೆ',
    'ಸರ್ಕಾರ ಮುಂದಿನ ವರ್ಷದ ಹೊಸ ಬಜೆಟ್ ಅನ್ನು ಮಂಡಿಸಿದೆ',
    'ನನ್ನ ತಮ್ಮ ಪ್ರತಿದಿನ ಸಂಜೆ ಮೈದಾನದಲ್ಲಿ ಆಟ ಆಡುತ್ತಾನೆ',
  ],
  ko: [
    '어제 친구들과 함께 바다에 가서 수영을 했다',
    '올해 식품 가격이 임금보다 더 빠르게 올랐다',
    '내 동생은 작은 도시의 병원에서 일하고 있다',
  ],
  lo: ['ມື້ນີ້ຂ້ອຍໄປຕະຫຼາດເພື່ອຊື້ຜັກແລະປາ', 'ລັດຖະບານໄດ້ຮັບຮອງງົບປະມານຂອງປີໜ້າແລ້ວ', 'ນ້ອງຊາຍຂອງຂ້ອຍຫຼິ້ນບານເຕະທຸກໆແລງ'],
  lt: [
    'Maisto kainos šiemet augo greičiau nei žmonių atlyginimai',
    'Vakar su draugais važiavome prie jūros pasimaudyti',
    'Vyriausybė patvirtino naują mokesčių įstatymą šią savaitę',
  ],
  lv: [
    'Pārtikas cenas šogad augušas straujāk nekā cilvēku algas',
    'Vakar kopā ar draugiem braucām uz jūru peldēties',
    'Valdība šonedēļ apstiprināja jauno likumu par nodokļiem',
  ],
  ml: [
    'ഇന്ന് രാവിലെ ഞാൻ ചന്തയിൽ പോയി പച്ചക്കറി വാങ്ങി',
    'സർക്കാർ അടുത്ത വർഷത്തെ പുതിയ ബജറ്റ് അവതരിപ്പിച്ചു ഇന്ന്',
    'എന്റെ അനിയൻ എല്ലാ വൈകുന്നേരവും മൈതാനത്ത് കളിക്കാൻ പോകും',
  ],
  mr: [
    'आज सकाळी मी बाजारात जाऊन ताजी भाजी आणली',
    'सरकारने पुढील वर्षासाठी नवीन अर्थसंकल्प सादर केला आहे',
    'माझा भाऊ रोज संध्याकाळी मैदानावर क्रिकेट खेळतो',
  ],
  ms: [
    'Harga makanan tahun ini naik lebih cepat daripada gaji',
    'Semalam kami pergi ke pantai bersama kawan-kawan dari sekolah',
    'Adik saya bekerja di hospital kecil berhampiran rumah kami',
  ],
  nl: [
    'Gisteren zijn we met vrienden naar het strand gegaan',
    'De prijzen van huizen zijn deze zomer weer gestegen',
    'Mijn zus werkt al twee jaar in een klein ziekenhuis',
  ],
  no: [
    'Prisene på mat har økt raskere enn lønningene i år',
    'I går dro vi på hytta sammen med noen venner',
    'Søsteren min jobber på et sykehus i en liten by',
  ],
  pa: [
    'ਅੱਜ ਸਵੇਰੇ ਮੈਂ ਬਾਜ਼ਾਰ ਤੋਂ ਤਾਜ਼ੀਆਂ ਸਬਜ਼ੀਆਂ ਲੈ ਕੇ ਆਇਆ',
    'ਸਰਕਾਰ ਨੇ ਅਗਲੇ ਸਾਲ ਲਈ ਨਵਾਂ ਬਜਟ ਪੇਸ਼ ਕੀਤਾ',
    'ਮੇਰਾ ਭਰਾ ਹਰ ਸ਼ਾਮ ਮੈਦਾਨ ਵਿੱਚ ਖੇਡਣ ਜਾਂਦਾ ਹੈ',
  ],
  pl: [
    'Ceny żywności rosną w tym roku szybciej niż płace',
    'Wczoraj wieczorem byliśmy z przyjaciółmi w kinie',
    'Rząd przyjął nową ustawę o podatkach w tym tygodniu',
  ],
  pt: [
    'Ontem fomos à praia com os nossos amigos',
    'Os preços das casas voltaram a subir neste verão',
    'A minha irmã trabalha num hospital perto de casa',
  ],
  ro: [
    'Prețurile la alimente au crescut mai repede decât salariile',
    'Ieri am fost la mare cu prietenii noștri',
    'Guvernul a aprobat noua lege a impozitelor săptămâna aceasta',
  ],
  ru: [
    'Вчера вечером мы ходили с друзьями в кино',
    'Цены на продукты в этом году снова выросли',
    'Моя сестра работает в больнице в небольшом городе',
  ],
  sk: [
    'Ceny potravín tento rok rastú rýchlejšie ako mzdy',
    'Včera večer sme boli s priateľmi v kine',
    'Vláda schválila nový zákon o daniach z príjmov',
  ],
  sl: [
    'Cene hrane so letos rasle hitreje kot plače',
    'Včeraj smo šli s prijatelji na morje plavat',
    'Vlada je ta teden sprejela nov zakon o davkih',
  ],
  sq: [
    'Çmimet e ushqimeve u rritën përsëri këtë vit',
    'Dje shkuam në plazh me shokët e shkollës',
    'Qeveria miratoi ligjin e ri për tatimet këtë javë',
  ],
  sr: [
    'Цене хране су ове године расле брже од плата',
    'Јуче смо са пријатељима ишли на излет у планину',
    'Влада је ове недеље усвојила нови закон о порезима',
  ],
  sv: [
    'Priserna på mat har stigit snabbare än lönerna i år',
    'Igår åkte vi till stranden med några vänner',
    'Min syster arbetar på ett sjukhus i en liten stad',
  ],
  ta: [
    'இன்று காலை நான் சந்தைக்குச் சென்று காய்கறி வாங்கினேன்',
    'அரசு அடுத்த ஆண்டுக்கான புதிய பட்ஜெட்டை இன்று அறிவித்தது',
    'என் தம்பி தினமும் மாலையில் மைதானத்தில் விளையாடுவான்',
  ],
  te: [
    'ఈ రోజు ఉదయం నేను బజారుకు వెళ్లి కూరగాయలు కొన్నాను',
    'ప్రభుత్వం వచ్చే ఏడాది కొత్త బడ్జెట్‌ను ఈ రోజు ప్రకటించింది',
    'మా తమ్ముడు ప్రతి సాయంత్రం మైదానంలో ఆడుకుంటాడు',
  ],
  th: ['เมื่อวานเราไปทะเลกับเพื่อนและกินอาหารอร่อย', 'ราคาอาหารปีนี้เพิ่มขึ้นเร็วกว่าค่าจ้าง', 'น้องสาวของฉันทำงานที่โรงพยาบาลใกล้บ้าน'],
  tl: [
    'Pumunta kami kahapon sa dagat kasama ang mga kaibigan',
    'Tumaas na naman ang presyo ng bigas ngayong taon',
    'Ang kapatid kong babae ay nagtatrabaho sa isang ospital',
  ],
  tr: [
    'Gıda fiyatları bu yıl maaşlardan daha hızlı arttı',
    'Dün akşam arkadaşlarla sinemaya gidip yemek yedik',
    'Kız kardeşim küçük bir şehirde hastanede çalışıyor',
  ],
  uk: [
    'Учора ввечері ми ходили з друзями в кіно',
    'Ціни на продукти цього року знову зросли',
    'Моя сестра працює в лікарні в невеликому місті',
  ],
  ur: [
    'آج صبح میں بازار سے تازہ سبزیاں لے کر آیا',
    'حکومت نے اگلے سال کے لیے نیا بجٹ پیش کیا',
    'میرا بھائی ہر شام میدان میں کرکٹ کھیلتا ہے',
  ],
  vi: [
    'Hôm qua chúng tôi đi biển cùng với bạn bè',
    'Giá thực phẩm năm nay tăng nhanh hơn tiền lương',
    'Chị tôi làm việc ở một bệnh viện gần nhà',
  ],
  zh: ['昨天我们和朋友一起去海边游泳', '今年食品价格上涨得比工资快', '我妹妹在一家小医院里工作'],
}
