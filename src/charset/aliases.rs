//! Names of charsets that the Encoding Standard does not list, and that other programs write: those
//! of Python, iconv, Java, databases and mail programs (`cp932`, `latin-1`, `utf_8`, `win1251`).
//!
//! A name is compared by its letters and digits alone, in any case. Browsers know none of these names,
//! so what a page declares is read without them.

use alloc::string::String;

/// How many letters and digits a name has at most.
const LONGEST: usize = 48;

/// What is known of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It is another name for this label of the Encoding Standard, or for one of UTF-32.
    Label(&'static str),
    /// It names a charset that the Encoding Standard lacks.
    Lacking,
}

/// The letters and digits of `name` in lower case, which may be a label of the Encoding Standard.
pub(super) fn plain(name: &str) -> Option<String> {
    let chars = name.bytes().filter(u8::is_ascii_alphanumeric);
    let chars = chars.map(|b| char::from(b.to_ascii_lowercase()));
    let plain: String = chars.take(LONGEST + 1).collect();
    (!plain.is_empty() && plain.len() <= LONGEST).then_some(plain)
}

/// What is known of a name, given by its [`plain`] form, that is no label of the Encoding Standard.
pub(super) fn known(plain: &str) -> Option<Known> {
    let holds = |names: &str| names.split(' ').any(|known| known == plain);
    let alias = ALIASES.iter().find(|(_, names)| holds(names));
    match alias {
        Some((label, _)) => Some(Known::Label(label)),
        None => holds(LACKING).then_some(Known::Lacking),
    }
}

/// For each label of the Encoding Standard the names that it lacks.
static ALIASES: [(&str, &str); 41] = [
    (
        "big5",
        "950 big5eten big5hkscs big5hkscs2004 big5tw bigfive cnbig5 cp950 cp951 hkscs ms950 \
         ms950hkscs windows950 xmactradchinese xwindows950 xxbig5",
    ),
    (
        "euc-jp",
        "cp20932 cp51932 eucjp eucjpms eucjpopen eucjpwin \
         extendedunixcodepackedformatforjapanese ibmeucjp ujis xeucjp xeucjplinux",
    ),
    (
        "euc-kr",
        "949 cp51949 cp949 cp970 euckr ibm949 isoir149 ksc56011987 ksc56011989 ksc56011992 \
         ksc5636 ksx1001 ksx10011992 ms949 uhc windows949 xmackorean xmscp949 xwansung \
         xwindows949",
    ),
    ("gb18030", "cp54936 gb180302000 gb180302005 gb180302022 windows54936"),
    (
        "gbk",
        "936 cngb cp20936 cp936 euccn eucgb2312cn gb23121980 gb231280 ibm1386 isoir58 ms936 \
         windows936 xeuccn xgbk xmacsimpchinese xmswin936",
    ),
    ("ibm866", "866nav cp866nav dos866"),
    (
        "iso-2022-jp",
        "cp50220 cp50221 cp50222 iso2022jp iso2022jpms jis jis7 junet xwindows50220 \
         xwindows50221 xwindowsiso2022jp",
    ),
    ("iso-8859-10", "885910 cp28600 iso8859101992 isoir157"),
    ("iso-8859-13", "885913 cp28603 cp921 l7 latin7"),
    ("iso-8859-14", "885914 cp28604 iso8859141998 isoceltic isoir199 l8 latin8"),
    ("iso-8859-15", "885915 cp28605 cp923 iso885915fdis latin0 latin9"),
    ("iso-8859-16", "885916 cp28606 iso885916 iso8859162001 isoir226 l10 latin10"),
    ("iso-8859-2", "88592 cp28592 cp912 ibm912 iso885921987 isoir101 isolatin2"),
    ("iso-8859-3", "88593 cp28593 cp913 iso885931988 isoir109"),
    ("iso-8859-4", "88594 cp28594 cp914 iso885941988 isoir110"),
    ("iso-8859-5", "88595 cp28595 cp915 ibm915 iso885951988 isoir144"),
    (
        "iso-8859-6",
        "88596 asmo708 cp1089 cp28596 ecma114 iso885961987 iso88596e iso88596i isoir127",
    ),
    ("iso-8859-7", "88597 cp28597 cp813 ecma118 elot928 iso885971987 isoir126 suneugreek"),
    ("iso-8859-8", "88598 cp28598 cp916 iso885981988 iso88598e isoir138"),
    ("iso-8859-8-i", "cp38598 iso88598i"),
    ("koi8-r", "cp20866 cp878 koi8r"),
    ("koi8-u", "cp1168 cp21866 koi8ru koi8u"),
    ("macintosh", "appleroman cp10000 macroman xmacroman"),
    (
        "shift_jis",
        "932 cp932 cp943 cp943c cswindows31j ibm932 ibm943 mskanji pck shiftjis sjismac \
         sjisms sjisopen sjiswin windows31j windows932 xmacjapanese xms932 xmscp932 xsjis",
    ),
    ("utf-16be", "cp1201 ucs2be unicodebig unicodebigunmarked utf16be windows1201 xutf16be"),
    (
        "utf-16le",
        "cp1200 iso10646ucs2 u16 ucs2 ucs2le unicodelittle unicodelittleunmarked utf16 \
         utf16le windows1200 xutf16le",
    ),
    ("utf-32be", "cp12001 ucs4be utf32be xutf32be"),
    ("utf-32le", "csucs4 cp12000 iso10646ucs4 u32 ucs4 ucs4le utf32 utf32le xutf32 xutf32le"),
    (
        "utf-8",
        "al32utf8 cp65001 ibm1208 iso10646utf8 u8 unicodeutf8 utf utf8bom utf8mac utf8mb3 \
         utf8mb4 utf8sig utf8strict utf8ucs2 utf8ucs4 wtf8 xunicode20utf8",
    ),
    ("windows-1250", "1250 msee win1250 windows1250 xcp1250"),
    (
        "windows-1251",
        "1251 cl8mswin1251 mscyrl win1251 wincyrillic windows1251 windowscyrillic xcp1251",
    ),
    (
        "windows-1252",
        "1252 646 8859 88591 ansi1252 ansix34 ansix341968 ansix341986 cp20127 cp28591 cp367 \
         csascii ibm1252 ibm367 ibm5348 iso646irv1991 iso646us iso8859 iso885911987 \
         iso88591windows31latin1 isoir100 isoir6 isolatin1 latin latin1windows msansi \
         mswin1252 us us7ascii usascii we8iso8859p1 we8mswin1252 win1252 windows1252 \
         windows28591 xansi xcp1252",
    ),
    ("windows-1253", "1253 msgreek win1253 windows1253 xcp1253"),
    (
        "windows-1254",
        "1254 88599 cp28599 iso885991989 isoir148 isolatin5 msturk win1254 windows1254 \
         xcp1254",
    ),
    ("windows-1255", "1255 mshebr win1255 windows1255 xcp1255"),
    ("windows-1256", "1256 msarab win1256 windows1256 xcp1256"),
    ("windows-1257", "1257 win1257 winbaltrim windows1257 xcp1257"),
    ("windows-1258", "1258 win1258 windows1258 xcp1258"),
    (
        "windows-874",
        "cp874 dos874 ibm874 iso8859112001 isoir166 ms874 thai tis620 tis6200 tis62025290 \
         tis62025291 tis6202533 windows874 xwindows874",
    ),
    (
        "x-mac-cyrillic",
        "cp10007 maccyrillic macukraine macukrainian xmaccyrillic xmacukraine xmacukrainian",
    ),
    ("x-user-defined", "xuserdefined"),
];

/// Names of charsets that the Encoding Standard lacks.
static LACKING: &str = "037 1026 1125 1140 273 424 437 500 737 775 850 852 855 857 858 860 861 862 863 864 865 \
     869 adobestandardencoding armscii8 big52003 big5uao bocu1 brf cesu8 cns11643 cp037 \
     cp10001 cp10002 cp10003 cp10004 cp10005 cp10006 cp10008 cp10010 cp10017 cp10021 cp10029 \
     cp1004 cp1006 cp10079 cp1008 cp10081 cp10082 cp1025 cp1026 cp1046 cp1047 cp1051 cp1097 \
     cp1098 cp1112 cp1122 cp1123 cp1124 cp1125 cp1129 cp1131 cp1133 cp1140 cp1141 cp1142 \
     cp1143 cp1144 cp1145 cp1146 cp1147 cp1148 cp1149 cp1361 cp154 cp20000 cp20261 cp20269 \
     cp20932x cp273 cp29001 cp424 cp437 cp500 cp50225 cp50227 cp50229 cp52936 cp65000 cp720 \
     cp737 cp770 cp771 cp772 cp773 cp774 cp775 cp850 cp851 cp852 cp853 cp855 cp856 cp857 \
     cp858 cp859 cp860 cp861 cp862 cp863 cp864 cp865 cp866u cp868 cp869 cp870 cp871 cp875 \
     cp895 cp922 cpgr cpis cshproman8 csibm037 csibm1026 csibm273 csibm424 csibm500 csibm850 \
     csibm855 csibm857 csibm858 csibm860 csibm861 csibm863 csibm864 csibm865 csibm869 \
     cspc775baltic cspc850multilingual cspc862latinhebrew cspc8codepage437 cspcp852 csptcp154 \
     cyrillicasian dec8 decmcs dos437 dos720 dos737 dos775 dos850 dos852 dos862 ebcdic \
     ebcdiccpbe ebcdiccpca ebcdiccpch ebcdiccphe ebcdiccpnl ebcdiccpus ebcdiccpwt ebcdicint \
     ebcdicus ecmacyrillic eucjis2004 eucjisx0213 euctw gb12345 georgianacademy georgianps \
     geostd8 gost1976874 gsm gsm0338 gsm7 hp8 hproman8 hz hzgb hzgb2312 ibm00858 ibm037 \
     ibm039 ibm1026 ibm1047 ibm1051 ibm1125 ibm1140 ibm273 ibm277 ibm278 ibm280 ibm284 ibm285 \
     ibm297 ibm420 ibm424 ibm437 ibm500 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 \
     ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm868 ibm869 ibm870 ibm871 iscii iso2022cn \
     iso2022cnext iso2022jp1 iso2022jp2 iso2022jp2004 iso2022jp3 iso2022jpext iso2022kr \
     iso885912 isoir111 javamodifiedutf8 jisx0213 johab keybcs2 koi7 koi8c koi8t kz1048 \
     macarabic macce maccenteuro maccentraleurope maccroatian macdingbats macfarsi macgreek \
     machebrew maciceland maclatin2 macromania macsymbol macthai macturkish mik ms1361 \
     mulelao1 next nextstep palmos pc437 pc850 pt154 ptcp154 punycode r8 rk1048 roman8 ruscii \
     scsu shiftjis2004 shiftjisx0213 sjis2004 sjisx0213 strk10482002 swe7 symbol t61 t618bit \
     tcvn tcvn5712 tscii tsciiacii u7 unicode11utf7 utf1 utf7 utf7imap \
     utfebcdic viscii vps wingdings xchinesecns xchineseeten xcp20001 xcp50227 xeuctw \
     xmacarabic xmacce xmaccroatian xmacgreek xmachebrew xmacicelandic xmacjapanese2 \
     xmacromanian xmacsymbol xmacthai xmacturkish xunicode20utf7";

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, vec::Vec};

    use super::*;
    use crate::charset::Charset;

    #[test]
    fn every_name_is_plain_and_has_one_meaning() {
        let aliases = ALIASES.iter().flat_map(|(_, names)| names.split(' '));
        let all: Vec<&str> = aliases.chain(LACKING.split(' ')).collect();
        for name in &all {
            assert_eq!(plain(name).as_deref(), Some(*name), "{name}");
        }
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }

    #[cfg(feature = "legacy-charsets")]
    #[test]
    fn names_of_other_programs() {
        for (name, charset) in [
            ("cp932", "Shift_JIS"),
            ("CP932", "Shift_JIS"),
            ("latin-1", "windows-1252"),
            ("latin_1", "windows-1252"),
            ("utf_8", "UTF-8"),
            ("UTF-8-SIG", "UTF-8"),
            ("utf8mb4", "UTF-8"),
            ("euc_jp", "EUC-JP"),
            ("mac-roman", "macintosh"),
            ("mac_cyrillic", "x-mac-cyrillic"),
            ("iso8859_15", "ISO-8859-15"),
            ("ISO8859-8-i", "ISO-8859-8-I"),
            ("windows_1252", "windows-1252"),
            ("win1251", "windows-1251"),
            ("cp949", "EUC-KR"),
            ("cp936", "GBK"),
            ("cp950", "Big5"),
            ("iso2022_jp", "ISO-2022-JP"),
            ("koi8_u", "KOI8-U"),
            ("utf_16_le", "UTF-16LE"),
            ("utf_32_be", "UTF-32BE"),
            ("cp20127", "windows-1252"),
        ] {
            assert_eq!(Charset::for_label(name).map(Charset::name), Ok(charset), "{name}");
        }
        for (label, names) in ALIASES {
            let charset = Charset::for_label(label).expect("a label");
            for name in names.split(' ') {
                assert_eq!(Charset::for_label(name), Ok(charset), "{name}");
                assert!(Charset::for_label_of_page(name).is_err(), "{name}");
            }
        }
    }

    #[test]
    fn a_charset_that_the_standard_lacks_is_called_so() {
        for name in ["cp850", "IBM850", "cp437", "iso2022_jp_2004", "mac-turkish", "utf-7"] {
            let error = Charset::for_label(name).expect_err("it is lacking").to_string();
            assert!(error.contains("the Encoding Standard lacks it"), "{error}");
        }
        for name in ["x-unknown", "", "-", "cp8500"] {
            let error = Charset::for_label(name).expect_err("it is unknown").to_string();
            assert!(!error.contains("lacks"), "{error}");
        }
    }

    use std::string::ToString;
}
